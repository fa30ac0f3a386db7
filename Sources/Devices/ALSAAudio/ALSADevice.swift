public import LiveAudio
import LocalSystem
public import RenderCore
import Threads

/// A sound device as alsa-lib knows it: `default`, which is PipeWire or PulseAudio where they run; `hw:0`, a
/// card and nothing else; or whatever else is configured.
///
/// It plays silence until it has room for a cycle, and then one after the other. An xrun costs a buffer of
/// silence; ``RenderCycle/position`` jumps over it.
///
/// `@unchecked Sendable`: used by one thread at a time, as the protocol says.
public final class ALSADevice: SoundDevice, @unchecked Sendable {
  public let format: Format
  public let summary: String
  private let name: String
  private let settings: PCMSettings
  /// Until it is started or stopped.
  private var pcm: PCM?
  private var playback: Playback?

  /// Opens a device.
  ///
  /// - Parameters:
  ///   - name: As alsa-lib knows it.
  ///   - rate: Frames per second; the nearest that the device has is taken, of 8000…96000.
  ///   - period: Frames of a cycle; the nearest that the device can do is taken.
  ///   - periods: How many the device's buffer holds: 2 or more. All but one are latency.
  /// - Throws: When there is no such device, when it is in use or not permitted, or when it does nothing
  ///   that we can follow.
  public convenience init(
    named name: String = "default", rate: Int = 48_000, period: Int = 256, periods: Int = 3
  ) throws(SoundDeviceError) {
    try self.init(named: name, PCMWish(rate: rate, period: period, periods: periods))
  }

  init(
    named name: String, _ wish: PCMWish, in environment: ProcessEnvironment = .current
  ) throws(SoundDeviceError) {
    do throws(PCMFailure) {
      let pcm = try PCM(opening: name)
      settings = try pcm.settle(wish)
      self.pcm = pcm
    } catch {
      throw SoundDeviceError(device: name, error, in: environment)
    }
    self.name = name
    format = settings.format
    summary = "\(name): \(settings.summary)"
  }

  public var latency: Int {
    max(settings.buffer, playback?.lengthenedBuffer ?? 0) - settings.period
  }

  public func start(
    _ renderer: Renderer, tell: @escaping @Sendable (SoundDeviceEvent) -> Void
  ) throws(SoundDeviceError) {
    guard let pcm else { return }
    self.pcm = nil
    let reporter = DeviceEventNotifier(SoundDeviceError.loss, tell: tell)
    do {
      let playback = try Playback(pcm, settings, renderer, reporter)
      try reporter.start()
      self.playback = playback
      try playback.start()
    } catch {
      reporter.stop()
      playback = nil
      throw SoundDeviceError(
        device: name, mayPass: true, reason: "its thread cannot be started: \(error)")
    }
  }

  public func stop() {
    playback?.stop()
    playback = nil
    pcm = nil
  }

  deinit { stop() }
}
