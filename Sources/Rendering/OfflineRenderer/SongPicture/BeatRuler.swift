/// The tempos and the numbers of bars above the piano roll, and the lines of bars and beats in it.
struct BeatRuler {
  private let drawing: Drawing
  private let roll: Area
  private let beats: RollBeats
  private let frameRate: Double

  init(_ drawing: Drawing, _ roll: Area, _ beats: RollBeats, sampleRate: Int) {
    self.drawing = drawing
    self.roll = roll
    self.beats = beats
    frameRate = Double(sampleRate)
  }

  private var bars: [RollBeats.Beat] { beats.beats.filter { $0.meter != nil } }

  /// Returns the mean distance of some of the marks, in pixels.
  private func distance(_ marks: [RollBeats.Beat]) -> Double {
    guard let first = marks.first, let last = marks.last, marks.count > 1 else { return roll.width }
    return (x(last.frame) - x(first.frame)) / Double(marks.count - 1)
  }

  private func x(_ frame: Int) -> Double {
    drawing.axis.position(drawing.axis.start + Double(frame) / frameRate)
  }

  private func isVisible(_ beat: RollBeats.Beat) -> Bool {
    let x = x(beat.frame)
    return x >= roll.x - 0.5 && x < roll.right
  }

  /// The bars whose numbers differ from a multiple of this by one have numbers: 1, 5, 9.
  private func step(distance least: Double) -> Int {
    let distance = max(distance(bars), 1e-6)
    var step = 1
    while distance * Double(step) < least, step < 1 << 20 { step *= 2 }
    return step
  }

  func draw() {
    if beats.beats.isEmpty { return }
    let (tempo, bar) = Layout.rulerBaselines(roll)
    drawing.label("Tempo", middle: tempo - 4, drawing.small)
    drawing.label("Bar", middle: bar - 4, drawing.small)
    let step = step(distance: 30)
    var free = roll.x
    for beat in bars where isVisible(beat) && (beat.bar - 1) % step == 0 {
      let x = x(beat.frame)
      guard x >= free, x < roll.right - 8 else { continue }
      free = x + 8 + drawing.canvas.write("\(beat.bar)", drawing.small, x: x + 1, baseline: bar)
    }
    drawTempos(baseline: tempo)
  }

  /// Writes each new tempo and time signature where it begins, as far as there is room.
  private func drawTempos(baseline: Double) {
    var marks: [(x: Double, tempo: String?, meter: String?)] = []
    for tempo in beats.tempos {
      let tenths = Int((tempo.tempo * 10).rounded())
      let text = tenths % 10 == 0 ? "\(tenths / 10)" : "\(tenths / 10).\(tenths % 10)"
      marks.append((max(x(tempo.frame), roll.x), "♩ = \(text)", nil))
    }
    for bar in bars { marks.append((max(x(bar.frame), roll.x), nil, bar.meter)) }
    // Stable, so that of several marks before the beginning the last one counts.
    let order = marks.indices.sorted { (marks[$0].x, $0) < (marks[$1].x, $1) }
    var (tempo, meter): (String?, String?) = (nil, nil)
    var (shownTempo, shownMeter): (String?, String?) = (nil, nil)
    var free = roll.x
    for (place, index) in order.enumerated() {
      let mark = marks[index]
      if mark.x >= roll.right { break }
      tempo = mark.tempo ?? tempo
      meter = mark.meter ?? meter
      if place + 1 < order.count, marks[order[place + 1]].x - mark.x < 0.5 { continue }
      let news = [tempo == shownTempo ? nil : tempo, meter == shownMeter ? nil : meter]
      let text = news.compactMap(\.self).joined(separator: "   ")
      let style = TextStyle(color: drawing.palette.text, size: 12)
      let width = drawing.canvas.width(of: text, style)
      if text.isEmpty || mark.x < free || mark.x + width > roll.right { continue }
      drawing.canvas.write(text, style, x: mark.x + 1, baseline: baseline)
      (shownTempo, shownMeter) = (tempo, meter)
      free = mark.x + width + 14
    }
  }

  /// Draws the lines of bars, and those of beats if they are not too dense; of a song without beats, those of times.
  func drawLines(_ area: Area) {
    if beats.beats.isEmpty { return drawing.timeLines(area, opacity: 0.07) }
    let step = step(distance: 5)
    let labelled = self.step(distance: 30)
    let showsBeats = distance(beats.beats) >= 9
    for beat in beats.beats where isVisible(beat) {
      if beat.meter == nil {
        if showsBeats { drawing.line(atX: x(beat.frame), area, opacity: 0.06) }
      } else if (beat.bar - 1) % step == 0 {
        drawing.line(
          atX: x(beat.frame), area, opacity: (beat.bar - 1) % labelled == 0 ? 0.2 : 0.11)
      }
    }
  }
}
