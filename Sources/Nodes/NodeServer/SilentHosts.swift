import NodeProtocol
import Threads

/// Connections that have not said anything yet. Each costs a descriptor, and no thread.
///
/// Where there is no room for another, the process that has the most of them loses its oldest: so however many
/// connections one program opens, another gets in.
///
/// Threads: the one that accepts.
struct SilentHosts {
  private struct Silent {
    let socket: PacketSocket
    let process: Int32
    let since: Int64
  }

  /// In the order of their coming.
  private var silent: [Silent] = []
  private let limit: Int
  private let timeout: Int64

  /// - Parameters:
  ///   - limit: How many there may be.
  ///   - seconds: How long each may be silent.
  init(limit: Int, seconds: Double) {
    self.limit = limit
    timeout = Int64(seconds * 1e9)
  }

  var sockets: [PacketSocket] { silent.map(\.socket) }

  /// Adds one.
  ///
  /// - Returns: The one that has to go for it.
  mutating func add(_ socket: PacketSocket, process: Int32, now: Int64) -> PacketSocket? {
    let evicted = silent.count >= limit ? evict() : nil
    silent.append(Silent(socket: socket, process: process, since: now))
    return evicted
  }

  /// Takes out the oldest of the process that has the most.
  mutating func evict() -> PacketSocket? {
    var counts: [Int32: Int] = [:]
    for host in silent { counts[host.process, default: 0] += 1 }
    guard let most = counts.values.max(),
      let index = silent.firstIndex(where: { counts[$0.process] == most })
    else { return nil }
    return silent.remove(at: index).socket
  }

  mutating func remove(_ socket: PacketSocket) { silent.removeAll { $0.socket === socket } }

  /// Takes out those that have been silent for too long.
  mutating func takeOverdue(now: Int64) -> [PacketSocket] {
    let overdue = silent.prefix { now - $0.since >= timeout }.map(\.socket)
    silent.removeFirst(overdue.count)
    return overdue
  }

  /// Milliseconds until the first is overdue; `nil` where there is none.
  func wait(now: Int64) -> Int? {
    silent.first.map { max(0, Int(($0.since + timeout - now) / 1_000_000) + 1) }
  }
}
