import ALSAAudio

/// Says when a recording's frames came in: by a straight line through all stamps, for a single one may be
/// late by as much as its reader was.
///
/// The line is that of least squares.
struct FrameLine {
  private let origin: FrameStamp
  /// Nanoseconds after the origin's.
  private let begin: Double
  private let perFrame: Double

  /// - Returns: `nil` if the stamps are not of two frames at least.
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

  /// - Returns: Nanoseconds of CLOCK_MONOTONIC.
  func time(of frame: Int) -> Int64 {
    origin.time + Int64(begin + perFrame * Double(frame - origin.frame))
  }
}
