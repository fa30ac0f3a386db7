public import LiveAudio
import LocalSystem
public import RenderCore

/// An alsa-lib sound device: `default`, which is PipeWire or PulseAudio if they run; `hw:0`, direct access to a card;
/// or any other configured name.
///
/// The buffer is first filled with silence; then each cycle is rendered as soon as there is room for it. An xrun costs
/// one buffer of silence, and ``RenderCycle/position`` skips the missed frames.
///
/// `@unchecked Sendable`: used by one thread at a time, as ``SoundDevice`` requires.
public final class ALSADevice: SoundDevice, @unchecked Sendable {
  public let format: Format
  public let summary: String
  private let name: String
  private let settings: PCMSettings
  /// `nil` once started or stopped.
  private var pcm: PCM?
  private var playback: Playback?

  /// Opens a device.
  ///
  /// - Parameters:
  ///   - name: The alsa-lib name of the device.
  ///   - rate: Frames per second, 8000…96000; the nearest supported rate is used.
  ///   - period: Frames per cycle; the nearest supported length is used.
  ///   - periods: The number of periods in the device's buffer, 2 or more. All but one add latency.
  /// - Throws: If the device does not exist, is in use, denies access, or supports none of our formats.
  public convenience init(
    named name: String = "default", rate: Int = 48_000, period: Int = 256, periods: Int = 3
  ) throws(SoundDeviceError) {
    try self.init(named: name, PCMRequest(rate: rate, period: period, periods: periods))
  }

  init(
    named name: String, _ request: PCMRequest, in environment: ProcessEnvironment = .current
  ) throws(SoundDeviceError) {
    do throws(PCMFailure) {
      let pcm = try PCM(opening: name)
      settings = try pcm.configure(request)
      self.pcm = pcm
    } catch {
      throw SoundDeviceError(device: name, error, in: environment)
    }
    self.name = name
    format = settings.format
    summary = "\(name): \(settings.summary)"
  }

  public var priority: Int { RealtimePriority.permitted(Playback.priority) }

  public var latency: Int {
    max(settings.buffer, playback?.lengthenedBuffer ?? 0) - settings.period
  }

  public func start(
    _ renderer: Renderer, report: @escaping @Sendable (SoundDeviceEvent) -> Void
  ) throws(SoundDeviceError) {
    guard let pcm else { return }
    self.pcm = nil
    let reporter = DeviceEventNotifier(SoundDeviceError.loss, report: report)
    do {
      let playback = try Playback(pcm, settings, renderer, reporter)
      try reporter.start()
      self.playback = playback
      try playback.start()
    } catch {
      reporter.stop()
      playback = nil
      throw SoundDeviceError(
        device: name, isTemporary: true, reason: "its thread cannot be started: \(error)")
    }
  }

  public func stop() {
    playback?.stop()
    playback = nil
    pcm = nil
  }

  deinit { stop() }
}
