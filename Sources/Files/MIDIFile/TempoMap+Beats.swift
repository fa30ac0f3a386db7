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

  /// Returns the units per tick at the exact time of a frame.
  func unitsPerTick(at frame: Int64) -> UInt64 { segment(at: frame).unitsPerTick }

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
