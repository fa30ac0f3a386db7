/// The positions of bar lines.
///
/// A time signature starts a bar at its own tick, even if it shortens the previous bar.
struct BarLines: Equatable, Sendable {
  struct Segment: Equatable {
    let tick: Int64
    let signature: TimeSignature
    /// The number of bars that start before it.
    let bars: Int64
  }

  let ticksPerQuarter: UInt16
  /// Sorted by tick, at most one per tick, the first at tick 0.
  private(set) var segments = [Segment(tick: 0, signature: .common, bars: 0)]

  init(ticksPerQuarter: UInt16) {
    self.ticksPerQuarter = ticksPerQuarter
  }

  /// Sets the time signature from a tick on.
  ///
  /// - Parameter tick: Not before the tick of any earlier call. The last call for a tick applies.
  mutating func setSignature(_ signature: TimeSignature, at tick: Int64) {
    let last = segments[segments.count - 1]
    var bars = last.bars
    if last.tick == tick {
      segments.removeLast()
    } else {
      let length = UInt128(tick - last.tick) * scale(of: last.signature)
      bars += Int64(clamping: length.dividedUp(by: bar(of: last.signature)))
    }
    segments.append(Segment(tick: tick, signature: signature, bars: bars))
  }

  /// The number of parts per tick in which every bar is a whole number, as for 7/8 at one tick per quarter note.
  func scale(of signature: TimeSignature) -> UInt128 {
    UInt128(1) << UInt128(signature.denominatorPower)
  }

  /// The length of a bar in those parts.
  func bar(of signature: TimeSignature) -> UInt128 {
    UInt128(signature.numerator) * 4 * UInt128(ticksPerQuarter)
  }

  /// Returns the index of the last segment that starts at or before `frame`, or of the first.
  func segment(at frame: Int64, _ tempoMap: TempoMap) -> Int {
    var (low, high) = (0, segments.count)
    while high - low > 1 {
      let middle = (low + high) / 2
      if tempoMap.frame(ofTick: segments[middle].tick) <= frame {
        low = middle
      } else {
        high = middle
      }
    }
    return low
  }

  /// Returns the frame of the first bar line at or after `frame`.
  func barLine(atOrAfter frame: Int64, _ tempoMap: TempoMap) -> Int64 {
    let index = segment(at: frame, tempoMap)
    let signature = segments[index].signature
    let (scale, bar) = (scale(of: signature), bar(of: signature))
    let start = UInt128(segments[index].tick) * scale
    let position = max(start, tempoMap.position(atOrAfter: frame, scale: scale))
    let line = start + (position - start).dividedUp(by: bar) * bar
    if index + 1 < segments.count, line >= UInt128(segments[index + 1].tick) * scale {
      return tempoMap.frame(ofTick: segments[index + 1].tick)
    }
    return tempoMap.frame(ofPosition: line, scale: scale)
  }
}
