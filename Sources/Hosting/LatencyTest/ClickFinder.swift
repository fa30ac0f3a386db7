/// Finds clicks in a recording.
enum ClickFinder {
  /// The peak level below which a recording is silent: −60 dBFS.
  private static let floor: Float = 0.001
  /// The least ratio of the loudest level to the mean level.
  private static let prominence: Float = 10

  /// - Parameter levels: The level of each frame.
  /// - Returns: The frames in which clicks start: where the level reaches half of the loudest level. Frames within 20
  ///   ms after a click belong to it, because converters ring and rooms echo.
  static func clicks(in levels: [Float], rate: Int) -> [Int] {
    guard let loudest = levels.max(), loudest >= floor,
      loudest >= prominence * levels.reduce(0, +) / Float(levels.count)
    else { return [] }
    var clicks: [Int] = []
    for (frame, level) in levels.enumerated() where level >= loudest / 2 {
      if let last = clicks.last, frame - last < rate / 50 { continue }
      clicks.append(frame)
    }
    return clicks
  }
}
