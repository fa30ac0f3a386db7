/// Where bars begin.
///
/// A time signature begins a bar at its own tick, also where it cuts the bar before it short.
struct BarLines: Equatable, Sendable {
  struct Segment: Equatable {
    let tick: Int64
    let signature: TimeSignature
    /// Bars that began before it.
    let bars: Int64
  }

  let ticksPerQuarter: UInt16
  /// In ascending order of ticks, at most one to a tick, the first at tick 0.
  private(set) var segments = [Segment(tick: 0, signature: .common, bars: 0)]

  init(ticksPerQuarter: UInt16) {
    self.ticksPerQuarter = ticksPerQuarter
  }

  /// - Parameter tick: At or after that of every call before; the last call for a tick holds.
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

  /// Parts of a tick of which every bar is a whole number: 7/8 at one tick per quarter note.
  func scale(of signature: TimeSignature) -> UInt128 {
    UInt128(1) << UInt128(signature.denominatorPower)
  }

  /// A bar's length, in those parts.
  func bar(of signature: TimeSignature) -> UInt128 {
    UInt128(signature.numerator) * 4 * UInt128(ticksPerQuarter)
  }

  /// The last segment that begins at `frame` or before, or the first.
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

  /// The frame of the first bar line at or after `frame`.
  func barLine(atOrAfter frame: Int64, _ tempoMap: TempoMap) -> Int64 {
    let index = segment(at: frame, tempoMap)
    let signature = segments[index].signature
    let (scale, bar) = (scale(of: signature), bar(of: signature))
    let start = UInt128(segments[index].tick) * scale
    let place = max(start, tempoMap.position(atOrAfter: frame, scale: scale))
    let line = start + (place - start).dividedUp(by: bar) * bar
    if index + 1 < segments.count, line >= UInt128(segments[index + 1].tick) * scale {
      return tempoMap.frame(ofTick: segments[index + 1].tick)
    }
    return tempoMap.frame(ofPosition: line, scale: scale)
  }
}
