/// How the notes of a zone glide: each from the pitch that the one before has when it begins.
///
/// The sound glides by portamento control (controller 84), which names a key: a note that begins during a glide starts from
/// the key nearest to the present pitch.
package struct Portamento: Hashable, Sendable {
  package enum Speed: Hashable, Sendable {
    /// Each glide takes this many milliseconds.
    case time(Double)
    /// Each octave takes this many milliseconds.
    case perOctave(Double)
  }

  package let speed: Speed
  /// Whether only a note glides that begins while another is held.
  package let isFingered: Bool

  package init(_ speed: Speed, isFingered: Bool) {
    self.speed = speed
    self.isFingered = isFingered
  }

  /// The longest glide in milliseconds, by controllers 5 and 37.
  package static let longest = 16_383

  /// Returns the duration of a glide in milliseconds.
  ///
  /// - Parameter interval: In semitones.
  func milliseconds(_ interval: Double) -> Int {
    let duration =
      switch speed {
      case .time(let time): time
      case .perOctave(let time): time * abs(interval) / 12
      }
    return Int(min(duration, Double(Self.longest)).rounded())
  }
}

/// The pitch of the latest note of a sound's channel.
struct Glide {
  /// A key, with its fraction.
  private let from: Double
  private let to: Double
  /// In nanoseconds.
  private let start: Int64
  private let duration: Double

  init(from: Double, to: UInt8, at start: Int64, milliseconds: Int) {
    (self.from, self.to, self.start) = (from, Double(to), start)
    duration = Double(milliseconds) * 1e6
  }

  func pitch(at time: Int64) -> Double {
    let elapsed = Double(time - start)
    return elapsed >= duration ? to : from + (to - from) * max(0, elapsed) / duration
  }
}
