import LiveAudio
import PortativeServer
import SongHost

/// The contents of a server's panel.
///
/// Realtime: no.
struct ServerPanel {
  private(set) var status = ServerStatus(node: "")
  /// The levels of each port, by its name.
  private(set) var levels: [String: Levels] = [:]
  /// The last lines of the log.
  var log: [String] = []
  /// The index of the port that is shown in any case.
  private(set) var chosen = 0
  /// Whether all keys are shown.
  var showsHelp = false

  struct Levels: Equatable {
    var left = PeakLevel()
    var right = PeakLevel()
  }

  /// Updates the panel.
  ///
  /// - Parameter seconds: The time since the previous update.
  mutating func show(_ status: ServerStatus, after seconds: Double) {
    self.status = status
    var levels: [String: Levels] = [:]
    for port in status.ports {
      guard let peaks = port.peaks else { continue }
      var level = self.levels[port.name] ?? Levels()
      level.left.follow(peaks.left, after: seconds)
      level.right.follow(peaks.right, after: seconds)
      levels[port.name] = level
    }
    self.levels = levels
    chosen = max(0, min(chosen, status.ports.count - 1))
  }

  /// Chooses the port that is `step` after the current one, and continues at the other end of the list.
  mutating func choose(_ step: Int) {
    let count = status.ports.count
    if count > 0 { chosen = ((chosen + step) % count + count) % count }
  }

  /// The names of all keyboards and programs that play a port, each once.
  var players: [String] {
    var players: [String] = []
    for player in status.ports.flatMap(\.players) where !players.contains(player) {
      players.append(player)
    }
    return players
  }
}
