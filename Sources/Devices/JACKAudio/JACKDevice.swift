public import LiveAudio
public import LocalSystem
public import RenderCore
import Threads

/// A JACK server, or PipeWire's implementation of one. The client is named `Portative`; its ports are `out_left` and
/// `out_right`.
///
/// The server is never started; without a running server there is no device. The server's cycles are used as they are,
/// so no latency is added.
///
/// `@unchecked Sendable`: used by one thread at a time, as ``SoundDevice`` requires.
public final class JACKDevice: SoundDevice, @unchecked Sendable {
  public let format: Format
  public let summary: String
  private let connects: Bool
  /// `nil` once stopped.
  private var client: JACKClient?
  private var playback: JACKPlayback?

  /// Connects to a server.
  ///
  /// - Parameters:
  ///   - server: The name of the server; `nil` for the one named by `$JACK_DEFAULT_SERVER`, or `default`.
  ///   - connects: Whether to connect to the physical outputs on start. Ignored under a session manager
  ///     (`$NSM_URL` or `$LADISH_APP_NAME` is set), which makes the connections itself.
  /// - Throws: If there is no server, or the JACK library is not installed.
  public init(
    server: String? = nil, connects: Bool = true, in environment: ProcessEnvironment = .current
  ) throws(SoundDeviceError) {
    let client: JACKClient
    do throws(JACKFailure) {
      client = try JACKClient.open(server: server)
    } catch {
      throw SoundDeviceError(jack: error)
    }
    format = Format(sampleRate: client.sampleRate, maximumFrames: client.framesPerCycle)
    self.connects = connects && !SessionManager.isPresent(in: environment)
    summary =
      "jack: \(format.sampleRate) Hz, \(format.maximumFrames) frames, as '\(client.clientName)'"
      + (self.connects ? "" : ", not connected; connect it yourself or by a session manager")
    do throws(FormatError) {
      try format.validate()
    } catch {
      client.close(within: 0.4)
      throw SoundDeviceError(jack: .format(error.description))
    }
    self.client = client
  }

  /// The playback latency that JACK reports for the present connections, in frames; 0 if it reports none.
  public var latency: Int { playback?.currentLatency ?? 0 }

  public func start(
    _ renderer: Renderer, report: @escaping @Sendable (SoundDeviceEvent) -> Void
  ) throws(SoundDeviceError) {
    guard let client, playback == nil else { return }
    let reporter = DeviceEventNotifier(
      { JACKLoss(rawValue: $0)?.sentence ?? "the connection to JACK was lost" }, report: report)
    do throws(SystemError) {
      try reporter.start()
    } catch {
      throw SoundDeviceError(
        device: "jack", isTemporary: true,
        reason: "the notification thread cannot be started: \(error)")
    }
    let playback = JACKPlayback(client, format, renderer, reporter)
    self.playback = playback
    do throws(JACKFailure) {
      try playback.start(connects: connects)
    } catch {
      stop()
      throw SoundDeviceError(jack: error)
    }
  }

  public func stop() {
    if let playback { playback.stop() } else { client?.close(within: 0.4) }
    playback = nil
    client = nil
  }

  deinit { stop() }
}
