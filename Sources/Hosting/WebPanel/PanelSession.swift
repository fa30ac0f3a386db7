import Configuration
import Dispatch
import Glibc
import LocalSystem
import NodeProtocol
import NodeServer
import PortativeServer
import Synchronization

/// One page: forwards its requests to the control socket, and answers those that are for the panel itself.
///
/// A page is not trusted. Until it has sent the secret or the password, it gets no answer.
///
/// `@unchecked Sendable`: used only on the thread of the web server.
final class PanelSession: WebSession, @unchecked Sendable {
  private let panel: WebPanel
  private let client: WebClient
  private var admission = Admission.begun
  /// Set on the thread of the web server, and read by work in the background.
  private let isOver = Atomic(false)
  /// The requests that are being answered in the background.
  private var unanswered = 0
  private var control: PacketSocket?
  private var player: PanelPlayer?
  /// The port that the page plays.
  private var played: ComponentDescription?
  private var status: PanelStatusReader?
  private var rate = MessageRate()

  private enum Admission {
    case begun
    case greeted(PanelAccess.Challenge)
    case admitted
  }

  private var isAdmitted: Bool {
    if case .admitted = admission { true } else { false }
  }

  /// The seconds within which a page must be admitted.
  private static let admissionLimit = 5.0
  /// The seconds between two messages with the status.
  private static let statusInterval = 0.04

  init(_ panel: WebPanel, _ client: WebClient) {
    (self.panel, self.client) = (panel, client)
    client.setTimer(seconds: Self.admissionLimit)
  }

  func receive(_ bytes: [UInt8]) {
    if !rate.admits() { return client.close(.policy, "the page sends too many messages") }
    do throws(ReceivedMessage.Malformed) {
      try receive(ReceivedMessage(bytes), bytes)
    } catch {
      if !isAdmitted { return refuseFirstMessage() }
      refuse(error.error, error.id)
    }
  }

  private func receive(
    _ message: ReceivedMessage, _ bytes: [UInt8]
  ) throws(ReceivedMessage.Malformed) {
    switch message.kind {
    case .request(let id, let method):
      do throws(ProtocolError) {
        if !isAdmitted { return try open(method, message, id) }
        if method.hasPrefix("panel.") {
          try answer(method, message, id)
        } else {
          try PanelMethods.check(method, message, panel)
          forward(bytes)
        }
      } catch {
        if !isAdmitted { return refuseFirstMessage() }
        refuse(error, id)
      }
    case .notification(let method) where isAdmitted:
      do throws(ProtocolError) {
        try notify(method, message)
      } catch {
        refuse(error, nil)
      }
    case .notification, .response, .error:
      if !isAdmitted { refuseFirstMessage() }
    }
  }

  private func refuseFirstMessage() {
    client.close(.refused, "the first messages must be panel.hello and panel.open")
  }

  private func open(
    _ method: String, _ message: ReceivedMessage, _ id: UInt32
  ) throws(ProtocolError) {
    switch (admission, method) {
    case (.begun, GreetPanel.method): try greet(message.parameters(GreetPanel.self), id)
    case (.greeted(let challenge), OpenPanel.method):
      try open(message.parameters(OpenPanel.self), challenge, id)
    default: throw .unknownMethod(method)
    }
  }

  private func greet(_ request: GreetPanel, _ id: UInt32) throws(ProtocolError) {
    guard GreetPanel.lengths.contains(request.number.utf8.count),
      GreetPanel.lengths.contains(request.key?.utf8.count ?? 16)
    else {
      throw ProtocolError(.badMessage, "a number has 16 to 128 characters", field: "params.number")
    }
    let (challenge, code) = panel.access.challenge(
      page: request.number, keyNamed: request.key, host: client.host)
    admission = .greeted(challenge)
    respond(GreetPanel.Response(number: challenge.server, code: code), id)
  }

  private func open(_ request: OpenPanel, _ challenge: PanelAccess.Challenge, _ id: UInt32) {
    let answer = panel.access.answer(
      challenge, code: request.code, password: request.password, from: client.peer)
    switch answer {
    case .refused: return client.close(.refused, "the secret or the password is wrong")
    case .suspended: return client.close(.refused, "too many wrong passwords: wait for a minute")
    case .admitted: break
    }
    guard client.admit() else { return }
    admission = .admitted
    client.setTimer(seconds: nil)
    let key = panel.access.makePageKey()
    respond(
      OpenPanel.Response(
        node: panel.node, version: PanelPage.version, secret: panel.secret, keyName: key.name,
        key: key.key), id)
  }

  private func answer(
    _ method: String, _ message: ReceivedMessage, _ id: UInt32
  ) throws(ProtocolError) {
    switch method {
    case PlayPort.method:
      let component = try message.parameters(PlayPort.self).component
      let port = try component.map { component throws(ProtocolError) in
        try panel.server.publishedPort(component)
      }
      if player == nil { player = PanelPlayer(panel.sources) }
      guard let player else {
        throw ProtocolError(.outOfResources, "too many pages play: close some")
      }
      player.play(port)
      played = component
      respond(Done(), id)
    case WatchPanel.method:
      let isOn = try message.parameters(WatchPanel.self).isOn
      status = isOn ? PanelStatusReader(panel.server, panel.host) : nil
      client.setTimer(seconds: isOn ? Self.statusInterval : nil)
      respond(Done(), id)
    case CheckMachine.method: try share(panel.checks, id)
    case GetWiring.method: try share(panel.wirings, id)
    case SetWiring.method:
      let request = try message.parameters(SetWiring.self)
      try inBackground(id, on: panel.background) { host in
        try host.connect(request.isConnected, request.keyboard, to: request.port)
        return Done()
      }
    case SaveTake.method: try saveTake(message.parameters(SaveTake.self), id)
    case RestartSound.method:
      panel.server.restartSound()
      respond(Done(), id)
    default:
      guard let work = try panel.work(method, message) else { throw .unknownMethod(method) }
      let queue = SoundRequests.isLong(method) ? panel.rendering : panel.background
      try inBackground(id, on: queue) { _ in try work() }
    }
  }

  private func saveTake(_ request: SaveTake, _ id: UInt32) throws(ProtocolError) {
    let limit = SaveTake.limit
    for (field, value) in [("from", request.from), ("to", request.to ?? limit)]
    where !(-limit...limit).contains(value) {
      throw ProtocolError(
        .badMessage, "\(field) must be from -360000 to 360000 s, but is \(value)",
        field: "params.\(field)")
    }
    _ = try panel.server.publishedPort(request.component)
    guard panel.beginRendering() else {
      throw ProtocolError(.outOfResources, "another take is being rendered: wait until it is saved")
    }
    let panel = panel
    do throws(ProtocolError) {
      try inBackground(id, on: panel.rendering, finally: { panel.endRendering() }) {
        host in
        let path = try panel.library.newPath(in: .takes)
        try host.saveTake(of: request.component, from: request.from, to: request.to, in: path)
        return SaveTake.Response(file: path)
      }
    } catch {
      panel.endRendering()
      throw error
    }
  }

  private func notify(_ method: String, _ message: ReceivedMessage) throws(ProtocolError) {
    switch method {
    case PlayMIDI.method:
      let bytes = try message.parameters(PlayMIDI.self).bytes
      guard let player else { throw ProtocolError(.badSequence, "send panel.play first") }
      if !player.send(bytes) {
        throw ProtocolError(
          .badMessage, "a channel message has a status from 128 to 239 and 1 or 2 bytes below 128",
          field: "params.bytes")
      }
    case ReleaseKeys.method: player?.release()
    // Later versions of the page may have more.
    default: break
    }
  }

  /// The most requests of a page that are answered in the background at a time.
  static let backgroundLimit = 16

  private func beginBackground() throws(ProtocolError) {
    guard unanswered < Self.backgroundLimit else {
      throw ProtocolError(
        .outOfResources,
        "a page has at most \(Self.backgroundLimit) requests in the background: wait for an answer")
    }
    unanswered += 1
  }

  /// Answers with the result of work that pages share.
  private func share<Response: Encodable & Sendable>(
    _ work: SharedWork<Response>, _ id: UInt32
  ) throws(ProtocolError) {
    try beginBackground()
    work.request { [weak self] in
      guard let self, !isOver.load(ordering: .relaxed) else { return nil }
      return { response in
        self.unanswered -= 1
        self.respond(response, id)
      }
    }
  }

  /// Answers with the result of work, which is not begun if the page is gone.
  ///
  /// - Parameter finally: Called on `queue` before the answer, to which the page may respond at once; also if the work is not
  ///   begun.
  private func inBackground(
    _ id: UInt32, on queue: DispatchQueue, finally: @escaping @Sendable () -> Void = {},
    _ work: @escaping @Sendable (any PanelHost) throws -> any Encodable & Sendable
  ) throws(ProtocolError) {
    try beginBackground()
    let host = panel.host
    queue.async { [self] in
      if isOver.load(ordering: .relaxed) { return finally() }
      let answer: Result<any Encodable & Sendable, ProtocolError>
      do {
        answer = .success(try work(host))
      } catch {
        answer = .failure(
          error as? ProtocolError ?? ProtocolError(.commandFailed, Failure(error).message))
      }
      finally()
      panel.web.perform { [self] in
        unanswered -= 1
        switch answer {
        case .success(let response): respond(response, id)
        case .failure(let error): refuse(error, id)
        }
      }
    }
  }

  private func respond(_ response: some Encodable, _ id: UInt32) {
    if let message = try? MessageEncoder.response(response, id: id) { client.send(message) }
  }

  private func refuse(_ error: ProtocolError, _ id: UInt32?) {
    if let message = try? MessageEncoder.error(error, id: id) { client.send(message) }
  }

  // MARK: The control socket

  private func forward(_ message: [UInt8]) {
    if control == nil { connect() }
    guard let control else { return }
    do {
      try control.send(message, waits: false)
    } catch {
      client.close(.policy, "the server is busy: \(error)")
    }
  }

  private func connect() {
    guard let socket = try? PacketSocket(connectingTo: panel.socketPath) else {
      return client.close(.gone, "the server is stopping")
    }
    let copy = fcntl(socket.descriptor, F_DUPFD_CLOEXEC, 3)
    guard copy >= 0, client.watch(copy) else {
      return client.close(.gone, "the server has no descriptors left")
    }
    control = socket
  }

  func readable() -> Bool {
    guard let packet = try? control?.receive() else {
      if !isOver.load(ordering: .relaxed) {
        client.close(.gone, "the server has ended the connection")
      }
      return false
    }
    client.send(packet.bytes)
    return true
  }

  func timed() {
    if !isAdmitted { return client.close(.refused, "the page was not admitted within 5 s") }
    // A port that is published again with other settings is another one.
    if let played { player?.play(try? panel.server.publishedPort(played)) }
    guard let status else { return }
    // A page that is slow gets fewer messages, not later ones.
    if !client.isBusy, let next = status.next(),
      let message = try? MessageEncoder.notification(next)
    {
      client.send(message)
    }
    client.setTimer(seconds: Self.statusInterval)
  }

  func closed() {
    isOver.store(true, ordering: .relaxed)
    player = nil
    status = nil
    // Also ends a request that waits, such as for a control to be learned.
    control?.shutDown()
    control = nil
  }
}

/// Limits the messages of a page.
struct MessageRate {
  /// In a second; fingers and a wheel send fewer than 500.
  static let limit = 4000

  private var begin = ContinuousClock.now
  private var count = 0

  mutating func admits(at now: ContinuousClock.Instant = .now) -> Bool {
    if now - begin >= .seconds(1) {
      begin = now
      count = 0
    }
    count += 1
    return count <= Self.limit
  }
}
