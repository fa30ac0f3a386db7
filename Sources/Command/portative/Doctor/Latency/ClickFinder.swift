/// Finds clicks in what was recorded.
enum ClickFinder {
  /// What is less loud is nothing: −60 dBFS.
  private static let floor: Float = 0.001
  /// How much louder than all else, on average, a click has to be.
  private static let prominence: Float = 10

  /// - Parameter levels: One for each frame.
  /// - Returns: The frames in which clicks begin: where the level gets to half of that of the loudest. What
  ///   follows within 20 ms belongs to the same click: converters ring, and a room answers.
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
