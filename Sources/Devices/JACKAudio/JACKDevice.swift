public import LiveAudio
public import LocalSystem
public import RenderCore
import Threads

/// A JACK server, or PipeWire in its place. Our client is `Portative`, its ports are `out_left` and
/// `out_right`.
///
/// The server is never started; where none runs there is no device. A cycle is the server's own, so nothing
/// is added to its latency.
///
/// `@unchecked Sendable`: used by one thread at a time, as the protocol says.
public final class JACKDevice: SoundDevice, @unchecked Sendable {
  public let format: Format
  public let summary: String
  private let connects: Bool
  /// Until it is stopped.
  private var client: JACKClient?
  private var playback: JACKPlayback?

  /// Joins a server.
  ///
  /// - Parameters:
  ///   - server: Its name; `nil`: the one that `$JACK_DEFAULT_SERVER` names, or `default`.
  ///   - connects: Whether to connect with the device that people hear, once started. Under a session
  ///     manager (`$NSM_URL` or `$LADISH_APP_NAME` is set) it is not done, for that makes the connections.
  /// - Throws: When there is no server, or no library of JACK's.
  public init(
    server: String? = nil, connects: Bool = true, in environment: ProcessEnvironment = .current
  ) throws(SoundDeviceError) {
    let client: JACKClient
    do throws(JACKFailure) {
      client = try JACKClient(server: server)
    } catch {
      throw SoundDeviceError(jack: error)
    }
    format = Format(sampleRate: client.sampleRate, maximumFrames: client.framesPerCycle)
    self.connects = connects && !SessionManager.isPresent(in: environment)
    summary =
      "jack: \(format.sampleRate) Hz, \(format.maximumFrames) frames, as '\(client.clientName)'"
      + (self.connects ? "" : ", to be connected by you or a session manager")
    do throws(FormatError) {
      try format.validate()
    } catch {
      client.close(within: 0.4)
      throw SoundDeviceError(jack: .format(error.description))
    }
    self.client = client
  }

  /// What JACK says of the way to the ears, as it is connected now; 0 where it is not.
  public var latency: Int { playback?.currentLatency ?? 0 }

  public func start(
    _ renderer: Renderer, tell: @escaping @Sendable (SoundDeviceEvent) -> Void
  ) throws(SoundDeviceError) {
    guard let client, playback == nil else { return }
    let reporter = DeviceEventNotifier(
      { JACKLoss(rawValue: $0)?.sentence ?? "JACK has lost us" }, tell: tell)
    do throws(SystemError) {
      try reporter.start()
    } catch {
      throw SoundDeviceError(
        device: "jack", mayPass: true, reason: "its thread cannot be started: \(error)")
    }
    let playback = JACKPlayback(client, format, renderer, reporter)
    self.playback = playback
    do throws(JACKFailure) {
      try playback.start()
    } catch {
      stop()
      throw SoundDeviceError(jack: error)
    }
    if connects { client.connectWithDevice() }
  }

  public func stop() {
    if let playback { playback.stop() } else { client?.close(within: 0.4) }
    playback = nil
    client = nil
  }

  deinit { stop() }
}
