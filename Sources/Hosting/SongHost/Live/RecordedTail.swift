/// Determines how many frames of each scheduled cycle are recorded, if a recording ends a given time after the song.
///
/// Realtime: no.
struct RecordedTail {
  /// The number of frames recorded after the song has stopped by itself; `nil` for all.
  var limit: Int?
  /// The number of frames since it stopped.
  private var count = 0

  /// Advances over a cycle.
  ///
  /// - Parameters:
  ///   - segments: The segments of the cycle, which tile it.
  ///   - end: The frame at which the song stops by itself.
  /// - Returns: The number of recorded frames from the start of the cycle.
  mutating func advance(_ segments: some Sequence<SongSegment>, end: Int64?) -> Int {
    var recorded = 0
    for segment in segments {
      // If the user has stopped it, it may continue.
      let isOver = !segment.isPlaying && segment.begin == end
      if !isOver { count = 0 }
      let left = isOver ? limit.map { max(0, $0 - count) } ?? segment.frames : segment.frames
      recorded += min(left, segment.frames)
      if isOver { count += segment.frames }
    }
    return recorded
  }
}
