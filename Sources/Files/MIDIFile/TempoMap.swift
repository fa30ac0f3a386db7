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
  /// Sorted by tick, at most one per tick, the first at tick 0.
  private(set) var segments: [Segment]

  init(division: Division, sampleRate: Int) {
    self.sampleRate = sampleRate
    self.division = division
    unitsPerSecond = division.unitsPerSecond
    segments = [
      Segment(tick: 0, time: 0, unitsPerTick: division.unitsPerTick(tempo: Self.defaultTempo))
    ]
  }

  /// The default if a file has no tempo: 120 quarter notes per minute, in microseconds per quarter note.
  static let defaultTempo: UInt32 = 500_000

  /// Sets the tempo from a tick on.
  ///
  /// - Parameters:
  ///   - tempo: Microseconds per quarter note. Ignored if ticks are fractions of time code.
  ///   - tick: Not before the tick of any earlier call. The last call for a tick applies.
  mutating func setTempo(_ tempo: UInt32, at tick: Int64) {
    let unitsPerTick = division.unitsPerTick(tempo: tempo)
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
  func lastSegment(_ isBefore: (Segment) -> Bool) -> Int {
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
