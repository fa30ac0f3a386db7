/// Maps frames of a song to beats, tempo and bars, and beats to frames.
///
/// Beats are quarter notes from the start of the song. Before the start they are negative, with the first tempo and
/// time signature; bars continue before the start and after the end. The sequences of a format 2 file follow one
/// another on one count of beats, and each starts a bar. If ticks are fractions of time code, there are no beats:
/// then ``isNominal`` is set, and the map uses 120 beats per minute in 4/4.
///
/// All positions are calculated from the start in integers, so that no drift occurs.
///
/// Realtime: no; but no member allocates after initialization.
package struct BeatMap: Equatable, Sendable {
  let tempoMap: TempoMap
  let barLines: BarLines
  /// Whether the song has no beats of its own.
  package let isNominal: Bool
  /// The frames after frame 0 at which the tempo or time signature changes, ascending, without duplicates.
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

  /// Returns the beat at the exact time of a frame.
  ///
  /// A tick is placed on the frame nearest to its time, so the beat at that frame differs by up to half a frame.
  ///
  /// - Parameter frame: ±2⁵³.
  package func beat(at frame: Int64) -> Double {
    tempoMap.beat(at: frame, ticksPerQuarter: barLines.ticksPerQuarter)
  }

  /// Returns the frame nearest to a beat's time, the later of two equally near; for a tick's beat, the tick's frame.
  ///
  /// - Parameter beat: Clamped to ±2⁴⁰; NaN counts as 0.
  package func frame(ofBeat beat: Double) -> Int64 {
    tempoMap.frame(ofBeat: beat, ticksPerQuarter: barLines.ticksPerQuarter)
  }

  /// Returns the tempo at the exact time of a frame, in quarter notes per minute.
  package func tempo(at frame: Int64) -> Double {
    60_000_000 / tempoMap.microsecondsPerQuarter(at: frame)
  }

  /// A bar of the song.
  package struct Bar: Equatable, Sendable {
    /// The beat at which the bar starts.
    package let start: Double
    /// The number of the bar: 1 for the first of the song; earlier bars are 0, −1 and so on.
    package let number: Int64
    package let signature: TimeSignature
  }

  /// Returns the bar at a frame: the last one whose bar line's nearest frame is at or before `frame`.
  ///
  /// - Parameter frame: ±2⁵³.
  package func bar(at frame: Int64) -> Bar {
    let segment = barLines.segments[barLines.segment(at: frame, tempoMap)]
    let scale = barLines.scale(of: segment.signature)
    let length = Int128(barLines.bar(of: segment.signature))
    let begin = Int128(segment.tick) * Int128(scale)
    let position = tempoMap.position(atOrBefore: frame, scale: scale)
    let bars = (position - begin).dividedDown(by: length)
    let start = Double(begin + bars * length) / Double(Int(scale) * Int(barLines.ticksPerQuarter))
    return Bar(start: start, number: segment.bars + Int64(bars) + 1, signature: segment.signature)
  }

  /// Returns the beat at which a bar starts. Bars continue after the end of the song.
  ///
  /// - Parameter number: The number of the bar, from 1.
  package func beat(ofBar number: Int64) -> Double {
    let segments = barLines.segments
    let segment = segments.last { $0.bars < number } ?? segments[0]
    let scale = barLines.scale(of: segment.signature)
    let begin = Int128(segment.tick) * Int128(scale)
    let bars = Int128(number - 1 - segment.bars)
    return Double(begin + bars * Int128(barLines.bar(of: segment.signature)))
      / Double(Int(scale) * Int(barLines.ticksPerQuarter))
  }

  /// Returns the next frame after `frame` at which the tempo or time signature changes.
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
  /// The map between frames and beats, tempo and bars.
  package var beatMap: BeatMap { BeatMap(self) }
}

extension BeatMap {
  /// A file with one track that contains only the tempo and time signature changes, in the finest division in which
  /// all their ticks are whole numbers.
  package var conductor: StandardMIDIFile {
    let fineness = Int64(0x7FFF / barLines.ticksPerQuarter)
    var events = barLines.segments.map {
      StandardMIDIFile.Event(tick: $0.tick * fineness, .meta(.timeSignature($0.signature)))
    }
    events += tempoMap.segments.map {
      let tempo = tempoMap.microsecondsPerQuarter($0).rounded()
      // A file has 24 bits for it.
      return .init(tick: $0.tick * fineness, .meta(.tempo(UInt32(min(tempo, 0xFFFFFF)))))
    }
    // The sort is not stable, but the order of events at the same tick does not matter here.
    events.sort { $0.tick < $1.tick }
    return StandardMIDIFile(
      format: .simultaneous,
      division: .ticksPerQuarter(barLines.ticksPerQuarter * UInt16(fineness)),
      tracks: [.init(bridging: events)])
  }
}

extension StandardMIDIFile.Track {
  /// Creates a track, and inserts empty text events into gaps that are longer than a file can encode.
  package init(bridging events: [StandardMIDIFile.Event]) {
    let longest: Int64 = 1 << 28 - 1
    var (bridged, last) = ([StandardMIDIFile.Event](), Int64(0))
    for event in events {
      while event.tick - last > longest {
        last += longest
        bridged.append(.init(tick: last, .meta(.text(""))))
      }
      bridged.append(event)
      last = event.tick
    }
    self.init(bridged)
  }
}
