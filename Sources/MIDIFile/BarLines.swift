/// Where bars begin.
///
/// A time signature begins a bar at its own tick, also where it cuts the bar before it short.
struct BarLines: Equatable, Sendable {
  private struct Segment: Equatable {
    let tick: Int64
    let signature: TimeSignature
  }

  private let ticksPerQuarter: UInt16
  /// In ascending order of ticks, at most one to a tick, the first at tick 0.
  private var segments = [Segment(tick: 0, signature: .common)]

  init(ticksPerQuarter: UInt16) {
    self.ticksPerQuarter = ticksPerQuarter
  }

  /// - Parameter tick: At or after that of every call before; the last call for a tick holds.
  mutating func setSignature(_ signature: TimeSignature, at tick: Int64) {
    if segments[segments.count - 1].tick == tick { segments.removeLast() }
    segments.append(Segment(tick: tick, signature: signature))
  }

  /// The frame of the first bar line at or after `frame`.
  func barLine(atOrAfter frame: Int64, _ tempoMap: TempoMap) -> Int64 {
    var (index, high) = (0, segments.count)
    while high - index > 1 {
      let middle = (index + high) / 2
      if tempoMap.frame(ofTick: segments[middle].tick) <= frame {
        index = middle
      } else {
        high = middle
      }
    }
    // In parts of a tick of which every bar is a whole number: 7/8 at one tick per quarter note.
    let signature = segments[index].signature
    let scale = UInt128(1) << UInt128(signature.denominatorPower)
    let bar = UInt128(signature.numerator) * 4 * UInt128(ticksPerQuarter)
    let start = UInt128(segments[index].tick) * scale
    let place = max(start, tempoMap.position(atOrAfter: frame, scale: scale))
    let line = start + (place - start).dividedUp(by: bar) * bar
    if index + 1 < segments.count, line >= UInt128(segments[index + 1].tick) * scale {
      return tempoMap.frame(ofTick: segments[index + 1].tick)
    }
    return tempoMap.frame(ofPosition: line, scale: scale)
  }
}
