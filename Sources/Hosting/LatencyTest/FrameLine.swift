import ALSAAudio

/// Converts frame numbers of a recording to capture times, with a straight line through all stamps, because a single
/// stamp may be late by as much as its reader was.
///
/// The line is a least-squares fit.
struct FrameLine {
  private let origin: FrameStamp
  /// The time of the origin's frame on the line, in nanoseconds after the origin's stamp.
  private let begin: Double
  private let perFrame: Double

  /// - Returns: `nil` unless the stamps are of at least two different frames.
  init?(through stamps: [FrameStamp]) {
    guard let origin = stamps.first else { return nil }
    let frames = stamps.map { Double($0.frame - origin.frame) }
    let times = stamps.map { Double($0.time - origin.time) }
    let frame = frames.reduce(0, +) / Double(stamps.count)
    let time = times.reduce(0, +) / Double(stamps.count)
    let spread = frames.reduce(0) { $0 + ($1 - frame) * ($1 - frame) }
    guard spread > 0 else { return nil }
    self.origin = origin
    perFrame =
      zip(frames, times).reduce(0) { $0 + ($1.0 - frame) * ($1.1 - time) } / spread
    begin = time - perFrame * frame
  }

  /// Returns the capture time of a frame.
  ///
  /// - Returns: The CLOCK_MONOTONIC time in nanoseconds.
  func time(of frame: Int) -> Int64 {
    origin.time + Int64(begin + perFrame * Double(frame - origin.frame))
  }
}
