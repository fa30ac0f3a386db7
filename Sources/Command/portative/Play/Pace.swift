/// The time of a stream that nobody hears: each cycle begins when the ones before are over.
///
/// Times are in nanoseconds, of any clock.
struct Pace {
  private let sampleRate: Int
  private var begin: Int64
  private var frames = 0

  /// How far behind it may be and still catch up, as a sound device does from its buffer.
  private static let maximumLag: Int64 = 200_000_000

  init(sampleRate: Int, from now: Int64) {
    self.sampleRate = sampleRate
    begin = now
  }

  /// When the next cycle begins: now, or later.
  ///
  /// - Parameter count: Its frames.
  mutating func next(_ count: Int, at now: Int64) -> Int64 {
    // Whole seconds apart, so that a long song does not overflow.
    let (seconds, rest) = frames.quotientAndRemainder(dividingBy: sampleRate)
    let due =
      begin + Int64(seconds) * 1_000_000_000 + Int64(rest) * 1_000_000_000 / Int64(sampleRate)
    if due < now - Self.maximumLag { begin += now - due }
    frames += count
    return max(due, now)
  }
}
