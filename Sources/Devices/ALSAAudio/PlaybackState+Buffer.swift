import CALSA
import Glibc
import LiveAudio
import LiveMIDI
import RenderCore

extension PlaybackState {
  /// A buffer is not made longer than this: 0.34 s at 48 kHz.
  private static let longestBuffer = 16_384

  /// Doubles the device's buffer. Its periods, and so our cycles, stay as they are.
  ///
  /// - Returns: `false` when it is as long as it may be.
  /// - Throws: When the device does not do what it did before.
  mutating func lengthenBuffer() throws(PCMFailure) -> Bool {
    let periods = 2 * settings.buffer / settings.period
    guard periods * settings.period <= Self.longestBuffer else { return false }
    let device = device.takeUnretainedValue()
    device.release()
    let present = settings
    settings = try device.settle(
      PCMWish(
        rate: present.rate, period: present.period, periods: periods,
        encodings: [present.encoding], accesses: [present.access]))
    guard settings.format == present.format, settings.channels == present.channels else {
      throw .failed(code: EIO)
    }
    if settings.buffer <= present.buffer { return false }
    news.lengthen(to: settings.buffer)
    return true
  }
}
