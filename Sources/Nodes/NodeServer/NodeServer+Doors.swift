import Glibc
import NodeProtocol
import Threads

// How hosts get in: one thread accepts connections and holds them until they say something; then each gets a thread
// of its own. Whatever connects and does nothing keeps nobody else out.
extension NodeServer {
  /// Hosts that may be connected at once: fewer where few descriptors may be open, of which a host takes two.
  static func maximumHosts(descriptors: Int) -> Int { min(256, max(8, descriptors / 4)) }

  /// Seconds within which a host must say hello.
  static let helloLimit = 2.0

  /// Accepts hosts until the server stops.
  func listen() {
    var silent = SilentHosts(limit: maximumHosts, seconds: Self.helloLimit)
    while true {
      let ready = listener.wait(
        or: silent.sockets, milliseconds: silent.wait(now: MonotonicClock.now))
      for socket in ready {
        silent.remove(socket)
        serve(socket)
      }
      for socket in silent.takeOverdue(now: MonotonicClock.now) { close(socket, Self.silence) }
      guard acceptAll(into: &silent) else { return }
    }
  }

  /// - Returns: `false` when the server stops.
  private func acceptAll(into silent: inout SilentHosts) -> Bool {
    // So many at a time, lest those that have said something wait for long.
    for _ in 0..<64 {
      switch listener.acceptNow() {
      case .success(let socket):
        guard isOwn(socket) else { continue }
        let process = socket.peer?.process ?? 0
        if let evicted = silent.add(socket, process: process, now: MonotonicClock.now) {
          close(evicted, Self.crowd(maximumHosts))
        }
      case .failure(let error):
        if isStopping { return false }
        if error.code == EAGAIN { return true }
        // Its host is gone already.
        if error.code == ECONNABORTED || error.code == EINTR { continue }
        if let evicted = silent.evict() {
          close(evicted, ProtocolError(.outOfResources, "\(error)"))
        } else {
          tell(.notAccepted(reason: error.description))
          // In a moment there may be some.
          usleep(100_000)
          return true
        }
      }
    }
    return true
  }

  /// Only whoever runs the server may use it, even where the folder's mode would allow others in.
  private func isOwn(_ socket: PacketSocket) -> Bool {
    if let peer = socket.peer, peer.user == geteuid() { return true }
    tell(.refusedStranger(user: socket.peer?.user))
    close(
      socket,
      ProtocolError(
        .stranger, "this node belongs to user \(geteuid()): run the host as the same user"))
    return false
  }

  private func close(_ socket: PacketSocket, _ refusal: ProtocolError) {
    HostSession(socket, self).close(saying: .refused(refusal))
  }

  static let silence = ProtocolError(
    .badMessage,
    "a host says hello within \(Int(helloLimit)) s, but this one has not: connect again")

  static func crowd(_ limit: Int) -> ProtocolError {
    ProtocolError(
      .tooManyConnections,
      "this node has \(limit) hosts, which is its limit, and others do more: close connections that "
        + "have no port, or connect again")
  }

  /// Gives a host that has said something a thread that answers it.
  private func serve(_ socket: PacketSocket) {
    let session = HostSession(socket, self)
    switch admit(session) {
    case .stopping: return session.close(saying: .withdrawn)
    case .full: return session.close(saying: .refused(Self.crowd(maximumHosts)))
    case .admitted(let evicted): evicted?.close(saying: .refused(Self.crowd(maximumHosts)))
    }
    do throws(SystemError) {
      try SystemThread(name: "portative-host") { [self] in
        session.run()
        leave(session)
      }.detach()
    } catch {
      tell(.notAccepted(reason: error.description))
      session.close(saying: .refused(ProtocolError(.outOfResources, "\(error)")))
      leave(session)
    }
  }
}
