import LocalSystem
import NodeProtocol

/// Accepted connections that have not sent a packet yet. Each uses a descriptor, but no thread.
///
/// When the limit is reached, the oldest connection of the process with the most pending connections is evicted. So one
/// program cannot keep others from connecting, however many connections it opens.
///
/// Threads: the thread that accepts connections.
struct PendingConnections {
  private struct Connection {
    let socket: PacketSocket
    let process: Int32
    let since: Int64
  }

  /// The connections in the order in which they were accepted.
  private var connections: [Connection] = []
  private let limit: Int
  private let timeout: Int64

  /// - Parameters:
  ///   - limit: The maximum number of pending connections.
  ///   - seconds: The time within which a connection must send a packet, in seconds.
  init(limit: Int, seconds: Double) {
    self.limit = limit
    timeout = Int64(seconds * 1e9)
  }

  var sockets: [PacketSocket] { connections.map(\.socket) }

  /// Adds a connection.
  ///
  /// - Returns: The evicted connection, if the limit was reached.
  mutating func add(_ socket: PacketSocket, process: Int32, now: Int64) -> PacketSocket? {
    let evicted = connections.count >= limit ? evict() : nil
    connections.append(Connection(socket: socket, process: process, since: now))
    return evicted
  }

  /// Removes and returns the oldest connection of the process with the most connections.
  mutating func evict() -> PacketSocket? {
    var counts: [Int32: Int] = [:]
    for connection in connections { counts[connection.process, default: 0] += 1 }
    guard let most = counts.values.max(),
      let index = connections.firstIndex(where: { counts[$0.process] == most })
    else { return nil }
    return connections.remove(at: index).socket
  }

  mutating func remove(_ socket: PacketSocket) { connections.removeAll { $0.socket === socket } }

  /// Removes and returns the connections whose timeout has passed.
  mutating func removeOverdue(now: Int64) -> [PacketSocket] {
    let overdue = connections.prefix { now - $0.since >= timeout }.map(\.socket)
    connections.removeFirst(overdue.count)
    return overdue
  }

  /// Returns the milliseconds until the first timeout passes; `nil` if there are no pending connections.
  func wait(now: Int64) -> Int? {
    connections.first.map { max(0, Int(($0.since + timeout - now) / 1_000_000) + 1) }
  }
}
