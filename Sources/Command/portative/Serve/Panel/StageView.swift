import Configuration
import OfflineRenderer
import PortativeServer

/// A server's panel as it is read from a distance: this scene, the next one, and what is wrong.
struct StageView {
  let status: ServerStatus
  let largeText: LargeText

  /// Returns the lines of the view: at most `rows`, each narrower than `columns`.
  ///
  /// - Parameters:
  ///   - columns: The width of the terminal. The last column stays empty.
  ///   - rows: The height of the terminal.
  ///   - isUnicode: Whether the terminal shows more than ASCII; if not, names are in ordinary letters.
  func lines(columns: Int, rows: Int, isUnicode: Bool) -> [String] {
    let room = max(0, columns - 1)
    let scene = status.scene
    let place = scene?.place.map { "\($0)/\(scene?.count ?? 0)" } ?? ""
    let foot = foot(isUnicode)
    let text = (scene?.text ?? "").split(separator: "\n").map(String.init)
      .prefix(max(0, rows / 3))
    // This scene has twice the rows of the next one.
    let free = max(0, rows - foot.count - text.count - 2)
    let (large, small) = (free * 2 / 3, free / 3)
    // Above the names, because the foot may be narrow.
    let head =
      [scene == nil ? "no scenes" : place] + (status.song.map { ["song \($0.text)"] } ?? [])
    var lines = [head.filter { !$0.isEmpty }.joined(separator: "    ")]
    lines += name(
      scene?.name ?? (scene == nil ? status.node : "no scene chosen"), room, large, isUnicode)
    lines += text
    if let next = scene?.next {
      lines.append("next:")
      lines += name(next, room, small, isUnicode)
    }
    return (lines.prefix(max(0, rows - foot.count)) + foot).map {
      TerminalText.fitted($0, columns: room, isUnicode: isUnicode)
    }
  }

  private func name(_ name: String, _ columns: Int, _ rows: Int, _ isUnicode: Bool)
    -> [String]
  {
    (isUnicode ? largeText.rows(name, columns: columns, rows: rows) : nil) ?? [name]
  }

  /// What the player must know besides.
  private func foot(_ isUnicode: Bool) -> [String] {
    var facts: [String] = []
    if status.transposition != 0 {
      let sign = status.transposition > 0 ? "+" : ""
      facts.append("transposed by \(sign)\(status.transposition)")
    }
    if status.sound == nil { facts.append("no sound device open") }
    if status.xruns > 0 { facts.append(counted(status.xruns, "xrun")) }
    facts.append("n next  p previous  + - transpose  ! panic  s ports  q quit")
    return [facts.joined(separator: "    ")]
  }
}
