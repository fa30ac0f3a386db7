/// A beat of a song: a note of the denominator of the time signature.
public struct SongBeat: Equatable, Sendable {
  public var frame: Int64
  /// The number of the bar, from 1.
  public let bar: Int
  /// The number of the beat in its bar, from 1.
  public let beat: Int
  /// The time signature.
  public let numerator: Int
  public let denominator: Int
}

/// A tempo of a song, and the frame from which it applies.
public struct SongTempo: Equatable, Sendable {
  public var frame: Int64
  public let microsecondsPerQuarter: Int
}

extension Timeline {
  /// The greatest number of beats that are listed.
  public static let maximumBeats = 1 << 20

  /// Returns the beats before a frame; empty if ticks are fractions of time code. A time signature starts a bar. After
  /// ``maximumBeats``, beats are left out.
  public func beats(before end: Int64) -> [SongBeat] {
    guard let barLines else { return [] }
    var beats: [SongBeat] = []
    let segments = barLines.segments
    for (index, segment) in segments.enumerated() {
      let scale = barLines.scale(of: segment.signature)
      let length = 4 * UInt128(barLines.ticksPerQuarter)
      let border =
        index + 1 < segments.count ? UInt128(segments[index + 1].tick) * scale : UInt128.max
      var position = UInt128(segment.tick) * scale
      let (numerator, power) = (
        Int(segment.signature.numerator), segment.signature.denominatorPower
      )
      var count = 0
      while position < border, beats.count < Self.maximumBeats {
        let frame = tempoMap.frame(ofPosition: position, scale: scale)
        if frame >= end { break }
        beats.append(
          SongBeat(
            frame: frame, bar: Int(segment.bars) + count / numerator + 1,
            beat: count % numerator + 1, numerator: numerator, denominator: 1 << Int(power)))
        count += 1
        position += length
      }
    }
    return beats
  }

  /// The tempos of the song in ascending order; empty if ticks are fractions of time code.
  public var tempos: [SongTempo] {
    if barLines == nil { return [] }
    return tempoMap.segments.map {
      SongTempo(
        frame: tempoMap.frame(ofTick: $0.tick), microsecondsPerQuarter: Int($0.unitsPerTick))
    }
  }
}
