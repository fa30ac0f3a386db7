/// The connections of a ``WebServer``, and which of them have to end so that others find room.
///
/// The stage of a connection follows from the messages of its client. Each stage has a limit of its own, for all peers and
/// for one, so that connections that have shown nothing never take the room of those that have shown more. If a limit
/// is exceeded, the oldest connection of the stage ends: of the peer if it has too many, else of that with the most.
struct ConnectionTable<Key: Hashable> {
  enum Stage: Int, CaseIterable {
    /// Has not sent a request.
    case silent
    /// Has sent a request.
    case requested
    /// A WebSocket that has not proved that it may be open.
    case unproved
    /// A WebSocket of an admitted page.
    case admitted

    /// The greatest number of connections, of all peers and of one.
    var limits: (all: Int, peer: Int) {
      switch self {
      case .silent: (192, 96)
      case .requested: (96, 48)
      case .unproved: (64, 32)
      case .admitted: (32, 32)
      }
    }
  }

  private struct Connection {
    let peer: Peer
    var stage: Stage
    /// Increases with the time at which the stage was reached.
    var number: Int
  }

  private var connections: [Key: Connection] = [:]
  private var next = 0

  var count: Int { connections.count }

  func peer(of key: Key) -> Peer? { connections[key]?.peer }

  func count(in stage: Stage) -> Int { connections.values.count { $0.stage == stage } }

  /// Adds a connection that is silent.
  ///
  /// - Returns: A connection that has to end; it has been removed.
  mutating func add(_ key: Key, from peer: Peer) -> Key? {
    insert(key, peer, .silent)
    return removeSurplus(.silent, peer)
  }

  /// Moves a connection to a later stage. One that is unknown, or that has reached the stage, stays as it is.
  ///
  /// - Returns: A connection that has to end; it has been removed.
  mutating func advance(_ key: Key, to stage: Stage) -> Key? {
    guard let connection = connections[key], connection.stage.rawValue < stage.rawValue else {
      return nil
    }
    insert(key, connection.peer, stage)
    return removeSurplus(stage, connection.peer)
  }

  mutating func remove(_ key: Key) { connections[key] = nil }

  private mutating func insert(_ key: Key, _ peer: Peer, _ stage: Stage) {
    connections[key] = Connection(peer: peer, stage: stage, number: next)
    next += 1
  }

  private mutating func removeSurplus(_ stage: Stage, _ peer: Peer) -> Key? {
    let members = connections.filter { $0.value.stage == stage }
    let counts = members.values.reduce(into: [Peer: Int]()) { $0[$1.peer, default: 0] += 1 }
    let crowded: Peer
    if counts[peer, default: 0] > stage.limits.peer {
      crowded = peer
    } else if members.count > stage.limits.all, let most = counts.max(by: { $0.value < $1.value }) {
      crowded = most.key
    } else {
      return nil
    }
    let oldest = members.filter { $0.value.peer == crowded }
      .min { $0.value.number < $1.value.number }?.key
    if let oldest { remove(oldest) }
    return oldest
  }
}
