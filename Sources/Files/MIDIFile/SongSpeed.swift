import RenderCore

/// How fast a song is played, compared with its file: every tempo is multiplied by it.
public struct SongSpeed: Equatable, Sendable {
  /// Millionths of the file's speed: 100,000…10,000,000.
  public let millionths: Int

  public static let asWritten = SongSpeed(millionths: 1_000_000)!

  /// - Returns: `nil` if the number is out of range.
  public init?(millionths: Int) {
    guard 100_000...10_000_000 ~= millionths else { return nil }
    self.millionths = millionths
  }

  /// The nearest speed.
  ///
  /// - Parameter factor: 0.1…10.
  /// - Returns: `nil` if the factor is out of range.
  public init?(_ factor: Double) {
    guard (0.1...10).contains(factor) else { return nil }
    self.init(millionths: Int((factor * 1_000_000).rounded()))
  }

  public var factor: Double { Double(millionths) / 1_000_000 }

  /// The speed as a fraction in lowest terms.
  var fraction: (numerator: UInt64, denominator: UInt64) {
    var (a, b) = (millionths, 1_000_000)
    while b > 0 { (a, b) = (b, a % b) }
    return (UInt64(millionths / a), UInt64(1_000_000 / a))
  }
}

extension StandardMIDIFile {
  /// The tempo at the first note, in microseconds per quarter note; `nil` if ticks are fractions of time code.
  public var firstTempo: Int? {
    guard case .ticksPerQuarter = division else { return nil }
    let played = format == .sequential ? tracks.prefix(1) : tracks[...]
    let firstNote =
      played.compactMap { track in
        track.events.first {
          if case .channel(let message) = $0.content { message.startsNote } else { false }
        }?.tick
      }.min() ?? 0
    var merge = TrackMerge(played)
    var tempo = TempoMap.defaultTempo
    while let (_, event) = merge.next(), event.tick <= firstNote {
      if case .meta(let meta) = event.content, let next = meta.tempo { tempo = next }
    }
    return Int(tempo)
  }
}
