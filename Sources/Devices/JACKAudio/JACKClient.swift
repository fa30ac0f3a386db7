import CJACK
import LiveAudio
import LiveMIDI
import RenderCore

/// A client of a JACK server.
///
/// `@unchecked Sendable`: it is closed once, after all other calls.
///
/// The corresponding C type is `jack_client_t`.
final class JACKClient: @unchecked Sendable {
  let jack: jack_library
  let handle: OpaquePointer
  let ports: JACKPorts
  /// The name that was requested, as the user knows it.
  private let requestedName: String
  private let calls = JACKCalls()
  /// Receives the shutdown callbacks.
  let farewell = JACKFarewell()
  /// The number in ``JACKClientGroup``.
  private let number: Int
  /// Written by the queue of ``calls``.
  private var isClosed = false
  /// The names of the stereo pairs of outputs.
  let outputPairs: [String]
  /// Keeps the list of ports.
  private let memory = RenderMemory()
  private static let openings = JACKCalls()

  /// The longest time in seconds to wait for a server's answer.
  private static let answerLimit = 10.0

  /// Connects to a running server; never starts one.
  ///
  /// - Parameters:
  ///   - server: The name of the server; `nil` for the default.
  ///   - name: The requested name. JACK appends a number if another client has it.
  ///   - signals: Determines the ports.
  ///   - seconds: The longest time to wait.
  /// - Throws: ``JACKFailure``; `hangs` if the server has not answered in time.
  static func open(
    server: String?, name: String, _ signals: GraphSignals, within seconds: Double = answerLimit
  ) throws(JACKFailure) -> JACKClient {
    let result = openings.perform(
      within: seconds, discard: { if case .success(let client) = $0 { client.closeNow() } }
    ) { () -> Result<JACKClient, JACKFailure> in
      // A client that is closed takes a moment, and a server that hangs more.
      JACKClientGroup.shared.open(within: seconds / 2) {
        do throws(JACKFailure) {
          return .success(try JACKClient(server: server, name: name, signals))
        } catch {
          return .failure(error)
        }
      } ?? .failure(.hangs)
    }
    guard let result else { throw .hangs }
    return try result.get()
  }

  private init(server: String?, name: String, _ signals: GraphSignals) throws(JACKFailure) {
    guard let library = cjack_load() else { throw .noLibrary }
    jack = library.pointee
    var status = jack_status_t(0)
    guard let client = cjack_open(Self.validName(name), server, &status) else {
      throw JACKFailure(status)
    }
    handle = client
    requestedName = name
    number = JACKClientGroup.shared.add()
    outputPairs = signals.outputPairs
    guard let ports = JACKPorts(jack, of: client, signals, in: memory) else {
      _ = jack.client_close(client)
      JACKClientGroup.shared.remove(number)
      throw .noPorts
    }
    self.ports = ports
    setCheck()
  }

  /// Returns a name that JACK accepts: without a colon, and at most 48 bytes, which leaves room for a number. "Acme: Piano"
  /// becomes "Acme Piano".
  static func validName(_ name: String) -> String {
    var valid = ""
    for character in name.replacing(": ", with: " ") {
      let next = character == ":" ? "-" : character
      if valid.utf8.count + String(next).utf8.count > 48 { break }
      valid.append(next)
    }
    return valid
  }

  /// The name that the server has given to the client.
  var name: String { jack.get_client_name(handle).map { String(cString: $0) } ?? "" }
  var sampleRate: Int { Int(jack.get_sample_rate(handle)) }
  var framesPerCycle: Int { Int(jack.get_buffer_size(handle)) }
  /// The realtime priority of the thread that calls the client, or 0.
  var priority: Int { min(99, max(0, Int(jack.client_real_time_priority(handle)))) }

  /// Starts the callbacks.
  ///
  /// - Parameters:
  ///   - connects: Whether to connect our ports to the first two physical inputs, or all ports to the only one.
  ///   - memory: Restores other connections that the user has made; `nil`: nothing does.
  ///   - context: An object that JACK may use; it is retained until the server has answered.
  /// - Throws: ``JACKFailure``; `hangs` if the server has not answered within ``answerLimit``.
  func activate(
    connects: Bool, memory: JACKConnectionMemory?, keeping context: any AnyObject & Sendable
  ) throws(JACKFailure) {
    let isActive = calls.perform(within: Self.answerLimit) {
      withExtendedLifetime(context) {
        memory?.registerCallback()
        guard self.jack.activate(self.handle) == 0 else { return false }
        if let memory {
          memory.restore(orConnect: connects)
        } else if connects {
          for connection in self.physicalConnections { _ = self.connect(connection) }
        }
        // Last, because a program that was killed may have left JACK's database locked.
        self.enqueue { JACKNames(client: self, name: self.requestedName).set() }
        self.setCheck()
        return true
      }
    }
    switch isActive {
    case true: return
    case false: throw .notActive
    case nil: throw .hangs
    }
  }

  /// The connections of our outputs to the first two physical inputs, or of all to the only one.
  var physicalConnections: Set<JACKConnection> {
    guard
      let names = jack.get_ports(
        handle, nil, JACK_DEFAULT_AUDIO_TYPE,
        UInt(JackPortIsInput.rawValue | JackPortIsPhysical.rawValue))
    else { return [] }
    defer { jack.free(names) }
    guard let first = names[0] else { return [] }
    let inputs = [("left", String(cString: first)), ("right", String(cString: names[1] ?? first))]
    return Set(
      outputPairs.flatMap { pair in
        inputs.map { JACKConnection(port: JACKPorts.name($0, of: pair), other: $1) }
      })
  }

  /// Makes a connection.
  ///
  /// - Returns: `false` if the server has refused it, such as one that exists.
  func connect(_ connection: JACKConnection) -> Bool {
    let own = "\(name):\(connection.port)"
    let (from, to) = connection.isFromOutput ? (own, connection.other) : (connection.other, own)
    return jack.connect(handle, from, to) == 0
  }

  /// Returns the name of a port; `nil` if it is gone.
  func name(of port: jack_port_id_t) -> String? {
    jack.port_by_id(handle, port).flatMap { jack.port_name($0) }.map { String(cString: $0) }
  }

  /// Sets the closure that is called when the server has ended or has disconnected a client of this process.
  func onLoss(_ report: @escaping @Sendable () -> Void) {
    JACKClientGroup.shared.setReport(report, of: number)
  }

  /// Lets the group check that calls reach the server, unless it knows the client only later, as PipeWire may.
  private func setCheck() {
    guard isKnown else { return }
    JACKClientGroup.shared.setCheck(
      { [weak self] seconds in
        self.flatMap { client in client.perform(within: seconds) { client.isKnown } }
      },
      of: number)
  }

  /// Whether the server knows the client.
  var isKnown: Bool {
    guard let identifier = jack.get_uuid_for_client_name(handle, name) else { return false }
    jack.free(identifier)
    return true
  }

  /// Performs a call of JACK later, unless the client is closed then.
  func enqueue(after seconds: Double = 0, _ call: @escaping @Sendable () -> Void) {
    calls.enqueue(after: seconds) { if !self.isClosed { call() } }
  }

  /// Performs a call of JACK.
  ///
  /// - Returns: `nil` if the server has not answered in time, or the client is closed.
  func perform(within seconds: Double, _ call: @escaping @Sendable () -> Bool) -> Bool? {
    calls.perform(within: seconds) { self.isClosed ? nil : call() } ?? nil
  }

  /// Closes the client, after a call that the server has not answered yet.
  ///
  /// - Parameters:
  ///   - seconds: The longest time to wait.
  ///   - context: An object that JACK may use until the client is closed; it is retained until then.
  func close(within seconds: Double, keeping context: (any AnyObject & Sendable)? = nil) {
    _ = calls.perform(within: seconds) {
      withExtendedLifetime(context) { self.closeNow(keeping: context) }
    }
  }

  deinit { memory.release() }

  /// Leaves the client to JACK's library, which may still call this object and the one that its owner has kept.
  private func abandon(keeping context: (any AnyObject & Sendable)?) {
    _ = Unmanaged.passRetained(self)
    if let context { _ = Unmanaged.passRetained(context) }
    JACKClientGroup.shared.remove(number)
  }

  private func closeNow(keeping context: (any AnyObject & Sendable)? = nil) {
    isClosed = true
    if JACKClientGroup.shared.isAbandoned(number) { return abandon(keeping: context) }
    if JACKClientGroup.shared.isLost(number) {
      farewell.wait()
    } else {
      JACKNames(client: self, name: requestedName).remove()
    }
    _ = jack.client_close(handle)
    JACKClientGroup.shared.remove(number)
  }
}

/// The names that patchbays show for a client and its ports, as metadata of JACK.
///
/// Source: *JACK Metadata API*, key `pretty-name`.
///
/// Realtime: no. The calls wait for the server.
struct JACKNames {
  let client: JACKClient
  /// The name of the client, such as "Portative: Piano", which JACK does not accept as it is.
  let name: String

  private static let key = "http://jackaudio.org/metadata/pretty-name"

  /// Sets the names. A server that does not keep them shows the plain names.
  fileprivate func set() {
    for (identifier, name) in names {
      _ = client.jack.set_property(client.handle, identifier, Self.key, name, "text/plain")
    }
  }

  /// Removes the names. The server would keep them until it ends.
  ///
  /// Not by `jack_remove_properties`: it reads JACK's database before it deletes, and holds a lock in between. Two such
  /// calls at a time, one of which may be the server's own, wait for each other for ever.
  fileprivate func remove() {
    for (identifier, _) in names {
      _ = client.jack.remove_property(client.handle, identifier, Self.key)
    }
  }

  var names: [(jack_uuid_t, String)] {
    let ports = client.ports
    let outputs = client.outputPairs.enumerated().flatMap { index, pair in
      let prefix = client.outputPairs.count > 1 ? "\(pair) " : ""
      return [
        (ports.outputs[2 * index], "\(prefix)Left"),
        (ports.outputs[2 * index + 1], "\(prefix)Right"),
      ]
    }
    let named =
      outputs.map { (Optional($0), $1) } + [
        (ports.midi, "MIDI"), (ports.midiOutput, "MIDI out"),
        (ports.inputs?.left, "Left in"), (ports.inputs?.right, "Right in"),
      ]
    return (identifier.map { [($0, name)] } ?? [])
      + named.compactMap { port, name in port.map { (client.jack.port_uuid($0), name) } }
  }

  /// The client's identifier; `nil` if the server gives none.
  var identifier: jack_uuid_t? {
    guard let text = client.jack.get_uuid_for_client_name(client.handle, client.name) else {
      return nil
    }
    defer { client.jack.free(text) }
    var identifier = jack_uuid_t(0)
    return client.jack.uuid_parse(text, &identifier) == 0 && identifier != 0 ? identifier : nil
  }
}
