import Configuration
import LiveAudio
import LivePlayer
import OfflineRenderer
import PortativeServer

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
  /// Whether the scenes are shown in large type instead of the ports.
  var showsStage = false
  private let largeText = LargeText()

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

extension ServerPanel {
  /// The number of columns from which a port has one line instead of two.
  private static let wide = 110

  /// Returns the lines of the panel: at most `rows`, each narrower than `columns`.
  ///
  /// If there is not enough room, the last lines of the log and the ports around the chosen one are shown, and then
  /// the keyboards are omitted.
  ///
  /// - Parameters:
  ///   - columns: The width of the terminal. The last column stays empty, because some terminals wrap there.
  ///   - rows: The height of the terminal.
  ///   - isUnicode: Whether the terminal shows more than ASCII.
  func lines(columns: Int, rows: Int, isUnicode: Bool) -> [String] {
    if showsStage {
      return StageView(status: status, largeText: largeText).lines(
        columns: columns, rows: rows, isUnicode: isUnicode)
    }
    let room = max(0, columns - 1)
    let head = head + (showsHelp ? help(room) : [])
    let ports = ports(columns >= Self.wide, room, isUnicode)
    let keyboards =
      players.isEmpty ? "no keyboards" : "keyboards: " + players.joined(separator: ", ")
    let size = ports.first?.count ?? 1
    // At least one port, and one line of the log.
    let shown = max(1, min(ports.count, (rows - head.count - 2) / size))
    let first = max(0, min(chosen - shown / 2, ports.count - shown))
    var lines = head + ports[first..<min(ports.count, first + shown)].joined()
    if rows - lines.count >= 2 { lines.append(keyboards) }
    let rest = max(0, min(rows - lines.count, Self.logLines))
    lines += log.suffix(rest)
    return lines.prefix(rows).map {
      TerminalText.fitted($0, columns: room, isUnicode: isUnicode)
    }
  }

  /// The number of lines of the log that are shown if there is room.
  static let logLines = 10

  private var head: [String] {
    let sound = status.sound ?? "no sound device open"
    let xruns = status.xruns == 1 ? "1 xrun" : "\(status.xruns) xruns"
    var lines = ["\(status.node)  \(xruns)  ? help  q quit  \(sound)"]
    if let scene = status.scene {
      let place = scene.place.map { "\($0)" } ?? "-"
      let next = scene.next.map { "  next: \($0)" } ?? ""
      lines.append("scene \(place)/\(scene.count)  \(scene.name ?? "none chosen")\(next)")
      if let text = scene.text?.split(separator: "\n").first { lines.append(String(text)) }
    }
    if let song = status.song { lines.append("song \(song.text)") }
    if status.transposition != 0 {
      lines.append(
        "transposed by \(status.transposition > 0 ? "+" : "")\(status.transposition) semitones")
    }
    return lines
  }

  /// Returns the lines of each port.
  private func ports(_ isWide: Bool, _ room: Int, _ isUnicode: Bool) -> [[String]] {
    status.ports.enumerated().map { index, port in
      let mark = index == chosen ? (isUnicode ? "\u{25B6} " : "> ") : "  "
      let users = Self.users(port)
      if isWide {
        let width = (room - 60) / 2
        let name = Self.padded(port.name, width / 2, isUnicode)
        let preset = Self.padded(port.preset ?? "", width / 2, isUnicode)
        return ["\(mark)\(name)  \(preset)  \(sound(port, isUnicode))  \(users)"]
      }
      let title = ([port.name] + [port.preset ?? "", users].filter { !$0.isEmpty })
        .joined(separator: "  ")
      return [mark + title, "  " + sound(port, isUnicode)]
    }
  }

  /// Returns who plays a port: hosts, or else keyboards.
  private static func users(_ port: ServerStatus.Port) -> String {
    guard let host = port.host else { return port.players.joined(separator: ", ") }
    let others = port.hostCount > 1 ? " and \(port.hostCount - 1) more" : ""
    return "host: \(host)\(others)"
  }

  /// Returns the levels, the voices and the late cycles of a port. The levels have 35 columns.
  private func sound(_ port: ServerStatus.Port, _ isUnicode: Bool) -> String {
    let levels =
      levels[port.name].map {
        "L\(TransportPanel.meter($0.left, isUnicode)) R\(TransportPanel.meter($0.right, isUnicode))"
      } ?? Self.padded(port.host == nil ? "not played" : "heard through the host", 35, isUnicode)
    var parts = [levels]
    if let voices = port.voices {
      parts.append(counted(voices, "voice"))
    } else if let voices = port.mostVoices {
      parts.append("max \(voices) voices")
    }
    if let late = port.lateCycles, late > 0 { parts.append(counted(late, "late cycle")) }
    return parts.joined(separator: "  ")
  }

  private static func padded(_ text: String, _ columns: Int, _ isUnicode: Bool) -> String {
    let text = TerminalText.fitted(text, columns: columns, isUnicode: isUnicode)
    return text + String(repeating: " ", count: max(0, columns - TerminalText.width(text)))
  }

  /// Returns all keys, with as many per line as fit.
  private func help(_ room: Int) -> [String] {
    let keys = [
      "up, down, Tab  choose a port", "n, ], right  next scene", "p, [, left  previous scene",
      "s  this scene and the next in large type", "+, -, 0  transpose", "! or x  panic",
      "? or h  help on or off", "q or Ctrl-C  quit",
    ]
    var lines: [String] = []
    for key in keys {
      if let last = lines.last, last.count + 4 + key.count <= room {
        lines[lines.count - 1] = "\(last)    \(key)"
      } else {
        lines.append(key)
      }
    }
    return lines
  }
}
