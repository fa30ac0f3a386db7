import CJACK
public import LiveAudio
package import LocalSystem
public import RenderCore
import Synchronization

/// A client of a JACK server, or of PipeWire's implementation of one. Its ports are `out_left` and `out_right`, or a
/// pair of each name in ``GraphSignals/outputPairs``, and, if wanted, `midi_in`, `midi_out`, `in_left` and `in_right`.
///
/// A cycle has the MIDI messages of `midi_in` on their frames, and the transport of the server. What its renderer sends is
/// written to `midi_out` on its frame.
///
/// The server is never started; without a running server there is no device. The server's cycles are used as they are,
/// so no latency is added.
///
/// `@unchecked Sendable`: used by one thread at a time, as ``SoundDevice`` requires, except ``transport`` and
/// ``change(_:)``, which use ``client`` only.
public final class JACKDevice: GraphDevice, @unchecked Sendable {
  public let format: Format
  public let summary: String
  package var freewheeling: SharedWord { freewheelState.word }
  private let freewheelState = JACKFreewheelState()
  private let timeline: JACKTimeline
  private let memory: JACKConnectionMemory?
  private let connects: Bool
  private let openClient: Mutex<JACKClient?>
  /// `nil` once stopped.
  var client: JACKClient? { openClient.withLock { $0 } }
  private var playback: JACKPlayback?
  private var lead: TransportLead?

  /// Connects to a server.
  ///
  /// - Parameters:
  ///   - server: The name of the server; `nil` for the one named by `$JACK_DEFAULT_SERVER`, or `default`.
  ///   - client: The name of the client. JACK appends a number if another client has it.
  ///   - signals: What the client exchanges with others.
  ///   - timeline: Determines the position of a cycle; shared by devices whose positions are compared.
  ///   - store: Remembers the connections that the user changes; `nil`: they are forgotten. Ignored under a session
  ///     manager.
  ///   - connects: Whether to connect to the physical outputs on start. Ignored under a session manager
  ///     (`$NSM_URL` or `$LADISH_APP_NAME` is set), which makes the connections itself.
  /// - Throws: If there is no server, or the JACK library is not installed.
  package init(
    server: String? = nil, client name: String = "Portative",
    _ signals: GraphSignals = GraphSignals(),
    timeline: JACKTimeline = JACKTimeline(), store: JACKConnectionStore? = nil,
    connects: Bool = true,
    in environment: ProcessEnvironment = .current
  ) throws(SoundDeviceError) {
    let client: JACKClient
    do throws(JACKFailure) {
      client = try JACKClient.open(server: server, name: name, signals)
    } catch {
      throw SoundDeviceError(jack: error)
    }
    format = Format(
      sampleRate: client.sampleRate, outputChannels: client.ports.outputCount,
      maximumFrames: client.framesPerCycle)
    let isManaged = SessionManager.isPresent(in: environment)
    self.connects = connects && !isManaged
    memory =
      isManaged ? nil : store.map { JACKConnectionMemory(client, $0, name: name) }
    summary =
      "jack: \(format.sampleRate) Hz, \(format.maximumFrames) frames, as '\(client.name)'"
      + (self.connects ? "" : ", not connected; connect it yourself or by a session manager")
    do throws(FormatError) {
      try format.validate()
    } catch {
      client.close(within: 0.4)
      throw SoundDeviceError(jack: .format(error.description))
    }
    self.timeline = timeline
    openClient = Mutex(client)
  }

  public var priority: Int { client?.priority ?? 0 }

  /// The playback latency that JACK reports for the present connections, in frames; 0 if it reports none.
  public var latency: Int { playback?.currentLatency ?? 0 }

  public func start(
    _ renderer: Renderer, report: @escaping @Sendable (SoundDeviceEvent) -> Void
  ) throws(SoundDeviceError) {
    guard let client, playback == nil else { return }
    let reporter = DeviceEventNotifier(
      { code in
        let loss = JACKLoss(rawValue: code) ?? .server
        if loss.concernsAllClients { JACKClientGroup.shared.loseAllIfEnded() }
        return loss.sentence
      }, report: report)
    do throws(SystemError) {
      try reporter.start()
    } catch {
      throw SoundDeviceError(
        device: "jack", isTemporary: true,
        reason: "the notification thread cannot be started: \(error)")
    }
    timeline.begin()
    let playback = JACKPlayback(
      client, format, timeline, freewheelState, memory, lead, renderer, reporter)
    self.playback = playback
    do throws(JACKFailure) {
      try playback.start(connects: connects)
    } catch {
      stop()
      throw SoundDeviceError(jack: error)
    }
  }

  package func follow(_ lead: TransportLead) { self.lead = lead }

  public func stop() {
    let client = openClient.withLock { $0.take() }
    if let playback {
      playback.stop()
      timeline.end()
    } else {
      client?.close(within: 0.4)
    }
    playback = nil
  }

  deinit { stop() }
}

extension JACKDevice {
  package var transport: Transport? {
    client.map { client in
      var position = jack_position_t()
      let isRolling = cjack_transport(client.handle, &position)
      return Transport(position, isRolling: isRolling, usesQuarters: position.isOfArdour)
    }
  }

  package func change(_ change: TransportChange) -> Bool {
    guard let client else { return false }
    return client.perform(within: 1) {
      switch change {
      case .start:
        client.jack.transport_start(client.handle)
        return true
      case .stop:
        client.jack.transport_stop(client.handle)
        return true
      case .locate(let frame):
        guard let frame = UInt32(exactly: frame) else { return false }
        return client.jack.transport_locate(client.handle, frame) == 0
      }
    } ?? false
  }
}

/// Detects a session manager, which starts other programs and connects them.
enum SessionManager {
  /// The variables that session managers set: New Session Manager, RaySession, Agordejo and others; and ladish.
  static let variables = ["NSM_URL", "LADISH_APP_NAME"]

  /// Returns whether a session manager started this program.
  fileprivate static func isPresent(in environment: ProcessEnvironment) -> Bool {
    variables.contains { environment.variable($0) != nil }
  }
}
