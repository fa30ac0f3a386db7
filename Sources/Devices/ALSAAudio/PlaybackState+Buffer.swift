import CALSA
import Glibc
import LiveAudio
import LiveMIDI
import RenderCore

extension PlaybackState {
  /// The greatest buffer length after lengthening, in frames: 0.34 s at 48 kHz.
  private static let longestBuffer = 16_384

  /// Doubles the device's buffer. The period, and so the cycle length, does not change.
  ///
  /// - Returns: `false` if the buffer cannot be lengthened further.
  /// - Throws: If the device no longer supports its other settings.
  mutating func lengthenBuffer() throws(PCMFailure) -> Bool {
    let periods = 2 * settings.buffer / settings.period
    guard periods * settings.period <= Self.longestBuffer else { return false }
    let device = device.takeUnretainedValue()
    device.release()
    let present = settings
    settings = try device.configure(
      PCMRequest(
        rate: present.rate, period: present.period, periods: periods,
        encodings: [present.encoding], accesses: [present.access]))
    guard settings.format == present.format, settings.channels == present.channels else {
      throw .failed(code: EIO)
    }
    if settings.buffer <= present.buffer { return false }
    flags.reportBuffer(frames: settings.buffer)
    return true
  }
}
