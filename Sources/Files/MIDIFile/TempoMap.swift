/// Maps ticks to times and frames, without accumulated rounding.
///
/// Time is counted in units of 1 / `unitsPerSecond` of a second, in which every tick at every tempo is a whole number.
/// The only division is the final one to a frame, so no error accumulates over hours: a tick's frame is the one
/// nearest to its exact time, the later of two equally near.
struct TempoMap: Equatable, Sendable {
  struct Segment: Equatable {
    let tick: Int64
    let time: UInt128
    let unitsPerTick: UInt64
  }

  let sampleRate: Int
  let division: Division
  let unitsPerSecond: UInt64
  /// The speed as a fraction: how many seconds of the file pass in so many seconds.
  private let speed: (numerator: UInt64, denominator: UInt64)
  /// Sorted by tick, at most one per tick, the first at tick 0.
  private(set) var segments: [Segment]

  init(division: Division, sampleRate: Int, speed: SongSpeed = .asWritten) {
    self.sampleRate = sampleRate
    self.division = division
    self.speed = speed.fraction
    unitsPerSecond = division.unitsPerSecond * self.speed.numerator
    segments = [
      Segment(
        tick: 0, time: 0,
        unitsPerTick: division.unitsPerTick(tempo: Self.defaultTempo) * self.speed.denominator)
    ]
  }

  static func == (a: Self, b: Self) -> Bool {
    a.sampleRate == b.sampleRate && a.division == b.division && a.speed == b.speed
      && a.segments == b.segments
  }

  /// The default if a file has no tempo: 120 quarter notes per minute, in microseconds per quarter note.
  static let defaultTempo: UInt32 = 500_000

  /// Sets the tempo from a tick on.
  ///
  /// - Parameters:
  ///   - tempo: Microseconds per quarter note. Ignored if ticks are fractions of time code.
  ///   - tick: Not before the tick of any earlier call. The last call for a tick applies.
  mutating func setTempo(_ tempo: UInt32, at tick: Int64) {
    let unitsPerTick = division.unitsPerTick(tempo: tempo) * speed.denominator
    guard unitsPerTick != segments[segments.count - 1].unitsPerTick else { return }
    let time = time(ofTick: tick)
    if segments[segments.count - 1].tick == tick { segments.removeLast() }
    segments.append(Segment(tick: tick, time: time, unitsPerTick: unitsPerTick))
  }

  func seconds(ofTick tick: Int64) -> Double { Double(time(ofTick: tick)) / Double(unitsPerSecond) }

  /// Returns the frame nearest to a tick, clamped to `Int64.max`.
  ///
  /// - Parameter tick: 0 or more.
  func frame(ofTick tick: Int64) -> Int64 {
    frame(ofTime: time(ofTick: tick), scale: 1)
  }

  /// Returns the frame of a position between ticks.
  ///
  /// - Parameters:
  ///   - position: The position in 1 / `scale` of a tick.
  ///   - scale: 1…65 536.
  func frame(ofPosition position: UInt128, scale: UInt128) -> Int64 {
    let segment = segments[lastSegment { UInt128($0.tick) * scale <= position }]
    let inside = position - UInt128(segment.tick) * scale
    return frame(
      ofTime: segment.time * scale + inside * UInt128(segment.unitsPerTick), scale: scale)
  }

  /// Returns the first position whose frame is `frame` or later, in 1 / `scale` of a tick.
  func position(atOrAfter frame: Int64, scale: UInt128) -> UInt128 {
    guard frame > 0 else { return 0 }
    // The earliest time that rounds to this frame is half a frame before it.
    let perSecond = UInt128(unitsPerSecond) * scale
    let time = (perSecond * (2 * UInt128(frame) - 1)).dividedUp(by: 2 * UInt128(sampleRate))
    let segment = segments[lastSegment { $0.time * scale <= time }]
    let inside = (time - segment.time * scale).dividedUp(by: UInt128(segment.unitsPerTick))
    return UInt128(segment.tick) * scale + inside
  }

  private func time(ofTick tick: Int64) -> UInt128 {
    // Queries are in the last segment while the map is built, and in any segment later.
    let last = segments[segments.count - 1]
    let segment = last.tick <= tick ? last : segments[lastSegment { $0.tick <= tick }]
    return segment.time + UInt128(tick - segment.tick) * UInt128(segment.unitsPerTick)
  }

  private func frame(ofTime time: UInt128, scale: UInt128) -> Int64 {
    let numerator = 2 * time * UInt128(sampleRate) + UInt128(unitsPerSecond) * scale
    let denominator = 2 * UInt128(unitsPerSecond) * scale
    // 64-bit division if the values fit, which is the case for some hundred hours.
    if let numerator = UInt64(exactly: numerator), let denominator = UInt64(exactly: denominator) {
      return Int64(clamping: numerator / denominator)
    }
    return Int64(clamping: numerator / denominator)
  }

  /// Returns the index of the last segment for which `isBefore` is true. It must be true for the first one.
  private func lastSegment(_ isBefore: (Segment) -> Bool) -> Int {
    var (low, high) = (0, segments.count)
    while high - low > 1 {
      let middle = (low + high) / 2
      if isBefore(segments[middle]) { low = middle } else { high = middle }
    }
    return low
  }
}

extension UInt128 {
  func dividedUp(by divisor: UInt128) -> UInt128 { (self + divisor - 1) / divisor }
}

/// Beats are quarter notes. Before tick 0 the first tempo applies.
extension TempoMap {
  /// Returns the beat at the exact time of a frame, rounded only to `Double` precision.
  func beat(at frame: Int64, ticksPerQuarter: UInt16) -> Double {
    let segment = segment(at: frame)
    let perTick = Int128(segment.unitsPerTick) * Int128(sampleRate)
    let time = Int128(frame) * Int128(unitsPerSecond) - Int128(segment.time) * Int128(sampleRate)
    let ticks = time.dividedDown(by: perTick)
    let rest = Double(time - ticks * perTick) / Double(perTick)
    // Splits off whole beats first, so that the fraction of a tick keeps its precision.
    let tick = Int128(segment.tick) + ticks
    let beats = tick.dividedDown(by: Int128(ticksPerQuarter))
    let inside = Double(tick - beats * Int128(ticksPerQuarter)) + rest
    return Double(beats) + inside / Double(ticksPerQuarter)
  }

  /// Returns the frame nearest to a beat, the later of two equally near.
  ///
  /// - Parameter beat: Clamped to ±2⁴⁰; NaN counts as 0; rounded to a 65 536th of a tick.
  func frame(ofBeat beat: Double, ticksPerQuarter: UInt16) -> Int64 {
    let scale = 65_536.0
    let beat = beat.isNaN ? 0 : max(-0x1p40, min(beat, 0x1p40))
    let position = Int128((beat * Double(ticksPerQuarter) * scale).rounded())
    if position >= 0 { return frame(ofPosition: UInt128(position), scale: UInt128(scale)) }
    let perSecond = Int128(unitsPerSecond) * Int128(scale)
    let time = position * Int128(segments[0].unitsPerTick) * Int128(sampleRate)
    return Int64(clamping: (2 * time + perSecond).dividedDown(by: 2 * perSecond))
  }

  /// Returns the tempo at the exact time of a frame, in microseconds per quarter note.
  func microsecondsPerQuarter(at frame: Int64) -> Double {
    microsecondsPerQuarter(segment(at: frame))
  }

  /// Returns the tempo of a segment as it is played, in microseconds per quarter note.
  func microsecondsPerQuarter(_ segment: Segment) -> Double {
    Double(segment.unitsPerTick) / Double(speed.numerator)
  }

  /// Returns the last position whose nearest frame is at or before `frame`, in 1 / `scale` of a tick.
  func position(atOrBefore frame: Int64, scale: UInt128) -> Int128 {
    if frame >= 0 { return Int128(position(atOrAfter: frame + 1, scale: scale)) - 1 }
    let time = (2 * Int128(frame) + 1) * Int128(unitsPerSecond) * Int128(scale) - 1
    return time.dividedDown(by: 2 * Int128(sampleRate) * Int128(segments[0].unitsPerTick))
  }

  /// The first frame at or after each tempo change, ascending.
  var changes: [Int64] {
    segments.dropFirst().map {
      Int64(clamping: ($0.time * UInt128(sampleRate)).dividedUp(by: UInt128(unitsPerSecond)))
    }
  }

  private func segment(at frame: Int64) -> Segment {
    let time = UInt128(max(0, frame)) * UInt128(unitsPerSecond)
    return segments[lastSegment { $0.time * UInt128(sampleRate) <= time }]
  }
}

extension Int128 {
  /// - Precondition: `divisor` is above 0.
  func dividedDown(by divisor: Int128) -> Int128 {
    let (quotient, remainder) = quotientAndRemainder(dividingBy: divisor)
    return remainder < 0 ? quotient - 1 : quotient
  }
}
