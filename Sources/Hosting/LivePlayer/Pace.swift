/// The timing of a stream without a sound device: each cycle starts when the previous cycles would have been played.
///
/// Times are in nanoseconds, of any clock.
struct Pace {
  private let sampleRate: Int
  private var begin: Int64
  private var frames = 0

  /// The lag up to which the stream catches up, like a sound device with a buffer; after a longer one it is shifted.
  private static let maximumLag: Int64 = 200_000_000

  init(sampleRate: Int, from now: Int64) {
    self.sampleRate = sampleRate
    begin = now
  }

  /// Returns when the next cycle starts: at `now` or later.
  ///
  /// - Parameter count: The number of frames of the cycle.
  mutating func next(_ count: Int, at now: Int64) -> Int64 {
    // Whole seconds are computed separately so that a long song does not overflow.
    let (seconds, rest) = frames.quotientAndRemainder(dividingBy: sampleRate)
    let due =
      begin + Int64(seconds) * 1_000_000_000 + Int64(rest) * 1_000_000_000 / Int64(sampleRate)
    if due < now - Self.maximumLag { begin += now - due }
    frames += count
    return max(due, now)
  }
}
