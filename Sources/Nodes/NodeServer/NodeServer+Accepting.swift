import Glibc
import NodeProtocol
import Threads

// One thread accepts connections and holds them until they send a packet. Then each connection gets its own thread.
// Connections that send nothing do not block other hosts.
extension NodeServer {
  /// The maximum number of connected hosts: 256, or a quarter of the process's descriptor limit if that is less, but at
  /// least 8. A host uses two descriptors.
  static func maximumHosts(descriptors: Int) -> Int { min(256, max(8, descriptors / 4)) }

  /// The time in seconds within which a host must send hello.
  static let helloLimit = 2.0

  /// Accepts hosts until the server stops.
  func listen() {
    var pending = PendingConnections(limit: maximumHosts, seconds: Self.helloLimit)
    while true {
      let ready = listener.wait(
        or: pending.sockets, milliseconds: pending.wait(now: now()))
      for socket in ready {
        pending.remove(socket)
        serve(socket)
      }
      for socket in pending.removeOverdue(now: now()) {
        close(socket, Self.helloTimeout)
      }
      guard acceptAll(into: &pending) else { return }
    }
  }

  /// Accepts waiting hosts.
  ///
  /// - Returns: `false` when the server stops.
  private func acceptAll(into pending: inout PendingConnections) -> Bool {
    // A limited number at a time, so that connections with a packet do not wait long.
    for _ in 0..<64 {
      switch listener.acceptNow() {
      case .success(let socket):
        guard isOwn(socket) else { continue }
        let process = socket.peer?.process ?? 0
        if let evicted = pending.add(socket, process: process, now: now()) {
          close(evicted, Self.hostLimitReached(maximumHosts))
        }
      case .failure(let error):
        if isStopping { return false }
        if error.code == EAGAIN { return true }
        // The host has already disconnected, or a signal arrived.
        if error.code == ECONNABORTED || error.code == EINTR { continue }
        // The system is out of descriptors or memory. Closing a pending connection frees a descriptor.
        if let evicted = pending.evict() {
          close(evicted, ProtocolError(.outOfResources, "\(error)"))
        } else {
          log(.notAccepted(reason: error.description))
          // Descriptors may be free when this is retried.
          usleep(100_000)
          return true
        }
      }
    }
    return true
  }

  /// Returns whether the host runs as the server's user. Refuses other hosts, even if the folder's mode admits them.
  private func isOwn(_ socket: PacketSocket) -> Bool {
    if let peer = socket.peer, peer.user == geteuid() { return true }
    log(.refusedStranger(user: socket.peer?.user))
    close(
      socket,
      ProtocolError(
        .wrongUser, "this node belongs to user \(geteuid()): run the host as the same user"))
    return false
  }

  private func close(_ socket: PacketSocket, _ refusal: ProtocolError) {
    HostSession(socket, self).close(refusal)
  }

  static let helloTimeout = ProtocolError(
    .badMessage,
    "a host must send hello within \(Int(helloLimit)) s, but this one did not: connect again")

  static func hostLimitReached(_ limit: Int) -> ProtocolError {
    ProtocolError(
      .tooManyConnections,
      "this node has \(limit) connections, which is its limit: close connections that have no "
        + "port, or connect again")
  }

  /// Starts a thread that answers a host which has sent a packet.
  private func serve(_ socket: PacketSocket) {
    let session = HostSession(socket, self)
    switch admit(session) {
    case .stopping: return session.close()
    case .full: return session.close(Self.hostLimitReached(maximumHosts))
    case .admitted(let evicted):
      evicted?.close(Self.hostLimitReached(maximumHosts))
    }
    do throws(SystemError) {
      try SystemThread(name: "portative-host") { [self] in
        session.run()
        remove(session)
      }.detach()
    } catch {
      log(.notAccepted(reason: error.description))
      session.close(ProtocolError(.outOfResources, "\(error)"))
      remove(session)
    }
  }
}
