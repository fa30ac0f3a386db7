/// Which beat, tempo and bar a song has at a frame, and the frame of a beat.
///
/// Beats are quarter notes from the song's beginning. Before it they are negative, in the first tempo and meter,
/// and bars go on before it as they do after its end. The sequences of a format 2 file follow one another on one
/// count of beats, each beginning a bar. Where ticks are parts of time code there are no beats: ``isNominal``, and
/// 120 to the minute in 4/4 take their place.
///
/// Everything is reckoned from the beginning, in whole numbers, so that nothing drifts.
///
/// Realtime: no; but nothing here allocates once it is made.
package struct BeatMap: Equatable, Sendable {
  let tempoMap: TempoMap
  let barLines: BarLines
  /// Whether the song has no beats of its own.
  package let isNominal: Bool
  /// The frames at which tempo or meter change, in ascending order, none twice; none is at or before frame 0.
  package let changes: [Int64]

  init(_ timeline: Timeline) {
    if let barLines = timeline.barLines {
      (tempoMap, self.barLines, isNominal) = (timeline.tempoMap, barLines, false)
    } else {
      tempoMap = TempoMap(division: .ticksPerQuarter(480), sampleRate: timeline.sampleRate)
      (barLines, isNominal) = (BarLines(ticksPerQuarter: 480), true)
    }
    let bars = barLines.segments.dropFirst().map { [tempoMap] in tempoMap.frame(ofTick: $0.tick) }
    changes = Set(tempoMap.changes + bars).filter { $0 > 0 }.sorted()
  }

  /// Frames per second.
  package var sampleRate: Int { tempoMap.sampleRate }

  /// The beat at the very time of a frame.
  ///
  /// A tick is on the nearest frame to its time, so that there its beat is up to half a frame off.
  ///
  /// - Parameter frame: ±2⁵³.
  package func beat(at frame: Int64) -> Double {
    tempoMap.beat(at: frame, ticksPerQuarter: barLines.ticksPerQuarter)
  }

  /// The nearest frame to a beat's time, the later where two are as near: for a tick's beat, the tick's frame.
  ///
  /// - Parameter beat: Held at ±2⁴⁰, and NaN at 0.
  package func frame(ofBeat beat: Double) -> Int64 {
    tempoMap.frame(ofBeat: beat, ticksPerQuarter: barLines.ticksPerQuarter)
  }

  /// Quarter notes per minute at the very time of a frame.
  package func tempo(at frame: Int64) -> Double {
    60_000_000 / Double(tempoMap.unitsPerTick(at: frame))
  }

  /// A bar of the song.
  package struct Bar: Equatable, Sendable {
    /// The beat on which it begins.
    package let start: Double
    /// 1 for the one that begins with the song; those before it have 0, −1 and so on.
    package let number: Int64
    package let signature: TimeSignature
  }

  /// The bar of a frame: the last whose line is on `frame` or before, the line being on its nearest frame.
  ///
  /// - Parameter frame: ±2⁵³.
  package func bar(at frame: Int64) -> Bar {
    let segment = barLines.segments[barLines.segment(at: frame, tempoMap)]
    let scale = barLines.scale(of: segment.signature)
    let length = Int128(barLines.bar(of: segment.signature))
    let begin = Int128(segment.tick) * Int128(scale)
    let place = tempoMap.position(atOrBefore: frame, scale: scale)
    let bars = (place - begin).dividedDown(by: length)
    let start = Double(begin + bars * length) / Double(Int(scale) * Int(barLines.ticksPerQuarter))
    return Bar(start: start, number: segment.bars + Int64(bars) + 1, signature: segment.signature)
  }

  /// The beat on which a bar begins, however many there are.
  ///
  /// - Parameter number: From 1 on.
  package func beat(ofBar number: Int64) -> Double {
    let segments = barLines.segments
    let segment = segments.last { $0.bars < number } ?? segments[0]
    let scale = barLines.scale(of: segment.signature)
    let begin = Int128(segment.tick) * Int128(scale)
    let bars = Int128(number - 1 - segment.bars)
    return Double(begin + bars * Int128(barLines.bar(of: segment.signature)))
      / Double(Int(scale) * Int(barLines.ticksPerQuarter))
  }

  /// The next frame after `frame` at which tempo or meter change.
  package func change(after frame: Int64) -> Int64? {
    var (low, high) = (0, changes.count)
    while low < high {
      let middle = (low + high) / 2
      if changes[middle] <= frame { low = middle + 1 } else { high = middle }
    }
    return low < changes.count ? changes[low] : nil
  }
}

extension Timeline {
  /// Which beat, tempo and bar there is at a frame.
  package var beatMap: BeatMap { BeatMap(self) }
}
