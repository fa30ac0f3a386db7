import RenderCore
/// The piano roll: keys from bottom to top and, below them, one row per drum.
struct RollPanel {
  private let drawing: Drawing
  private let melody: Area
  private let drums: Area
  private let keys: ClosedRange<Int>
  private let drumKeys: [Int]
  private let rowOfDrum: [Int: Int]
  private let frameRate: Double
  /// For each key and column of pixels, the channels that play it; see ``bit(_:)``.
  private var channels: [UInt64] = []

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
    if isAlone { return area.height }
    // With 8 pixels, a row has a name.
    let least = min(Double(rows) * 8, area.height * 0.48)
    return min(Double(rows) * 13, max(least, area.height * 0.36)).rounded()
  }

  /// Returns the displayed range of keys: at least two octaves, with a margin.
  private static func shown(_ keys: ClosedRange<Int>) -> ClosedRange<Int> {
    let missing = max(0, 24 - keys.count)
    let lower = max(0, keys.lowerBound - 2 - missing / 2)
    let upper = min(127, keys.upperBound + 2 + (missing + 1) / 2)
    return lower...upper
  }

  mutating func draw(_ notes: some NoteSource, _ ruler: BeatRuler, isEmpty: Bool) {
    if melody.height > 0 { keyboard() }
    if drums.height > 0 { drumRows() }
    for area in [melody, drums] where area.height > 0 { ruler.drawLines(area) }
    if isEmpty { return drawing.remark("no notes", melody) }
    channels = Array(repeating: 0, count: 128 * columns)
    notes.forEachNote { note, _ in
      if note.isDrum { return }
      for column in span(note) { channels[Int(note.key) * columns + column] |= bit(note) }
    }
    notes.forEachNote { note, _ in if note.isDrum { drawDrum(note) } else { drawPedal(note) } }
    notes.forEachNote { note, _ in if !note.isDrum { draw(note) } }
  }

  private var columns: Int { Int(melody.width) }

  /// Returns the bit of a note's channel: bit 0 is channel 0 of the first port, and of the fifth.
  private func bit(_ note: RollNote) -> UInt64 { 1 << UInt64(note.place % 64) }

  /// Returns the columns of pixels that a note covers.
  private func span(_ note: RollNote) -> Range<Int> {
    let first = min(Int(x(note.start) - melody.x), columns - 1)
    return first..<max(first + 1, min(Int(x(note.end) - melody.x), columns))
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
      drawing.canvas.fill(row, drawing.palette.grid, opacity: 0.035)
    }
    for key in keys where key % 12 == 0 {
      let below = top(key - 1)
      drawing.line(at: min(below, melody.bottom - 1), melody, opacity: 0.13)
      let middle = (top(key) + below) / 2
      // The name of the first drum is right below.
      if drums.height == 0 || middle < melody.bottom - 8 {
        drawing.label("C\(key / 12 - 1)", middle: middle)
      }
    }
  }

  private func drumRows() {
    drawing.panel(drums)
    let height = drums.height / Double(drumKeys.count)
    for row in stride(from: 0, to: drumKeys.count, by: 2) {
      let y = drumTop(row)
      drawing.canvas.fill(
        Area(x: drums.x, y: y, width: drums.width, height: drumTop(row - 1) - y),
        drawing.palette.grid,
        opacity: 0.035)
    }
    if height < 8 { return drawing.label("Drums", middle: drums.y + drums.height / 2) }
    let style = TextStyle(color: drawing.palette.label, size: min(11, height + 0.5))
    for (row, key) in drumKeys.enumerated() {
      let name = GeneralMIDI.drum(key) ?? "Drum \(key)"
      drawing.label(name, middle: (drumTop(row) + drumTop(row - 1)) / 2, style)
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

  /// Returns the colour of a note: the softer, the closer to that of the panel.
  private func color(_ note: RollNote) -> Color {
    drawing.palette.channel(note.channel, port: note.port).mixed(
      0.28 + 0.72 * Double(note.velocity) / 127, on: drawing.palette.panel)
  }

  /// Returns the rectangle of a note in the row of its key.
  private func area(_ note: RollNote) -> Area {
    let key = Int(note.key)
    let (y, below) = (top(key), top(key - 1))
    // A small gap, so that rows and repeated notes remain distinct.
    let height = max(1, below - y - (below - y >= 4 ? 1 : 0))
    let (start, end) = (x(note.start), x(note.end))
    let gap = end - start > 4 ? 0.8 : 0
    return Area(x: start, y: y, width: max(1.2, end - start - gap), height: height)
  }

  /// Draws the part of a note that only the pedal holds.
  private func drawPedal(_ note: RollNote) {
    if note.release <= note.end { return }
    let area = area(note)
    drawing.canvas.fill(
      Area(
        x: area.right, y: area.y, width: max(0, x(note.release) - area.right),
        height: area.height),
      drawing.palette.channel(note.channel, port: note.port), opacity: 0.2)
  }

  /// Draws a note: with the height of its row, or with a part of it where other channels play the same key.
  private func draw(_ note: RollNote) {
    let area = area(note)
    let span = span(note)
    let row = Int(note.key) * columns
    var column = span.lowerBound
    while column < span.upperBound {
      let unison = channels[row + column]
      let first = column
      while column < span.upperBound, channels[row + column] == unison { column += 1 }
      let left = first == span.lowerBound ? area.x : melody.x + Double(first)
      let right = column == span.upperBound ? area.right : melody.x + Double(column)
      let height = area.height / Double(unison.nonzeroBitCount)
      let place = (unison & (bit(note) - 1)).nonzeroBitCount
      drawing.canvas.fill(
        Area(
          x: left, y: area.y + Double(place) * height, width: max(0, right - left), height: height),
        color(note))
    }
  }

  /// Draws a drum note as a stroke, because drums have no length. In long songs strokes overlap, so they are fainter.
  private func drawDrum(_ note: RollNote) {
    guard let row = rowOfDrum[Int(note.key)] else { return }
    let (y, below) = (drumTop(row), drumTop(row - 1))
    let inset = below - y >= 6 ? max(2, ((below - y - 28) / 2).rounded()) : 0
    let pixelsPerSecond = drawing.axis.width / max(drawing.axis.length, 1e-3)
    drawing.canvas.fill(
      Area(x: x(note.start), y: y + inset, width: 2, height: max(1, below - y - 2 * inset)),
      color(note), opacity: min(1, max(0.25, pixelsPerSecond / 6)))
  }
}
