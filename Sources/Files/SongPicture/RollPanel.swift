/// The piano roll: keys from bottom to top and, below them, one row per drum.
struct RollPanel {
  private let drawing: Drawing
  private let melody: Area
  private let drums: Area
  private let keys: ClosedRange<Int>
  private let drumKeys: [Int]
  private let rowOfDrum: [Int: Int]
  private let frameRate: Double

  init(_ drawing: Drawing, _ area: Area, _ summary: RollSummary, sampleRate: Int) {
    self.drawing = drawing
    frameRate = Double(sampleRate)
    drumKeys = summary.drumKeys
    rowOfDrum = Dictionary(
      uniqueKeysWithValues: summary.drumKeys.enumerated().map { ($1, $0) })
    let strip = Self.drumHeight(rows: drumKeys.count, in: area, isAlone: summary.keys == nil)
    drums = Area(x: area.x, y: area.bottom - strip, width: area.width, height: strip)
    let gap = strip > 0 && strip < area.height ? 4.0 : 0
    melody = Area(
      x: area.x, y: area.y, width: area.width, height: area.height - strip - gap)
    keys = Self.shown(summary.keys ?? 48...72)
  }

  private static func drumHeight(rows: Int, in area: Area, isAlone: Bool) -> Double {
    if rows == 0 { return 0 }
    return isAlone ? area.height : min(Double(rows) * 13, (area.height * 0.36).rounded())
  }

  /// Returns the displayed range of keys: at least two octaves, with a margin.
  private static func shown(_ keys: ClosedRange<Int>) -> ClosedRange<Int> {
    let missing = max(0, 24 - keys.count)
    let lower = max(0, keys.lowerBound - 2 - missing / 2)
    let upper = min(127, keys.upperBound + 2 + (missing + 1) / 2)
    return lower...upper
  }

  func draw(_ notes: some NoteSource, isEmpty: Bool) {
    if melody.height > 0 { keyboard() }
    if drums.height > 0 { drumRows() }
    for area in [melody, drums] where area.height > 0 { drawing.timeLines(area, opacity: 0.07) }
    if isEmpty { return drawing.remark("no notes", melody) }
    notes.forEachNote { note, _ in
      if note.isDrum { drawDrum(note) } else { draw(note) }
    }
  }

  /// Returns the upper end of a key's row.
  private func top(_ key: Int) -> Double {
    let share = Double(keys.upperBound - key) / Double(keys.count)
    return (melody.y + share * melody.height).rounded()
  }

  private func keyboard() {
    drawing.panel(melody)
    for key in keys {
      let isBlack = [1, 3, 6, 8, 10].contains(key % 12)
      if isBlack { continue }
      let row = Area(
        x: melody.x, y: top(key), width: melody.width, height: top(key - 1) - top(key))
      drawing.canvas.fill(row, Palette.grid, opacity: 0.035)
    }
    for key in keys where key % 12 == 0 {
      let below = top(key - 1)
      drawing.line(at: min(below, melody.bottom - 1), melody, opacity: 0.13)
      drawing.label("C\(key / 12 - 1)", middle: (top(key) + below) / 2)
    }
  }

  private func drumRows() {
    drawing.panel(drums)
    let height = drums.height / Double(drumKeys.count)
    for row in stride(from: 0, to: drumKeys.count, by: 2) {
      let y = drumTop(row)
      drawing.canvas.fill(
        Area(x: drums.x, y: y, width: drums.width, height: drumTop(row - 1) - y), Palette.grid,
        opacity: 0.035)
    }
    if height < 11 { return drawing.label("Drums", middle: drums.y + drums.height / 2) }
    for (row, key) in drumKeys.enumerated() {
      let name = GeneralMIDI.drum(key) ?? "Drum \(key)"
      drawing.label(name, middle: (drumTop(row) + drumTop(row - 1)) / 2, Drawing.drum)
    }
  }

  /// Returns the upper end of a drum's row; row 0 is at the bottom.
  private func drumTop(_ row: Int) -> Double {
    (drums.bottom - Double(row + 1) * drums.height / Double(drumKeys.count)).rounded()
  }

  private func x(_ frame: Int) -> Double {
    let x = drawing.axis.position(drawing.axis.start + Double(frame) / frameRate)
    return min(max(x, melody.x), melody.right)
  }

  private static func opacity(_ note: RollNote) -> Double {
    0.28 + 0.72 * Double(note.velocity) / 127
  }

  private func draw(_ note: RollNote) {
    let key = Int(note.key)
    let (y, below) = (top(key), top(key - 1))
    // A small gap, so that rows and repeated notes remain distinct.
    let height = max(1, below - y - (below - y >= 4 ? 1 : 0))
    let (start, end) = (x(note.start), x(note.end))
    let gap = end - start > 4 ? 0.8 : 0
    let width = max(1.2, end - start - gap)
    let color = Palette.channel(note.channel)
    let opacity = Self.opacity(note)
    if note.release > note.end {
      let rest = x(note.release) - start - width
      drawing.canvas.fill(
        Area(x: start + width, y: y, width: rest, height: height), color, opacity: opacity * 0.22)
    }
    drawing.canvas.fill(
      Area(x: start, y: y, width: width, height: height), color, opacity: opacity)
  }

  /// Draws a drum note as a stroke, because drums have no length. In long songs strokes overlap, so they are fainter.
  private func drawDrum(_ note: RollNote) {
    guard let row = rowOfDrum[Int(note.key)] else { return }
    let (y, below) = (drumTop(row), drumTop(row - 1))
    let inset = below - y >= 6 ? max(2, ((below - y - 28) / 2).rounded()) : 0
    let pixelsPerSecond = drawing.axis.width / max(drawing.axis.length, 1e-3)
    drawing.canvas.fill(
      Area(x: x(note.start), y: y + inset, width: 2, height: max(1, below - y - 2 * inset)),
      Palette.channel(note.channel),
      opacity: Self.opacity(note) * min(1, max(0.25, pixelsPerSecond / 6)))
  }
}
