/// How much of each plan is recorded, where a recording ends on an exact frame after the song.
///
/// Realtime: no.
struct RecordedTail {
  /// Frames that are recorded after the song has stopped by itself; `nil`: all.
  var limit: Int?
  /// Frames since it did.
  private var count = 0

  /// Follows a plan.
  ///
  /// - Parameters:
  ///   - stretches: Those of the plan, which tile it.
  ///   - end: The frame at which the song stops by itself.
  /// - Returns: Frames that are recorded, from the plan's first.
  mutating func follow(_ stretches: [SongSegment], end: Int64?) -> Int {
    var recorded = 0
    for stretch in stretches {
      // Where somebody has stopped it, it may go on.
      let isOver = !stretch.isPlaying && stretch.begin == end
      if !isOver { count = 0 }
      let left = isOver ? limit.map { max(0, $0 - count) } ?? stretch.frames : stretch.frames
      recorded += min(left, stretch.frames)
      if isOver { count += stretch.frames }
    }
    return recorded
  }
}
