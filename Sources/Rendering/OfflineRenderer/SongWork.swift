import RenderCore

/// One song in the making: cycle after cycle from the feed through the player to the pipe.
struct SongWork<Player: SongPlayer> {
  private let range: FrameRange
  private let player: Player
  private let sampleRate: Int
  /// Notes that the song itself did not release.
  private(set) var unreleasedNotes = 0
  /// Whether the tail was still heard at its limit.
  private(set) var isTailCut = false

  init(range: FrameRange, player: Player, settings: RenderSettings) {
    self.range = range
    self.player = player
    sampleRate = settings.sampleRate
  }

  mutating func run(
    into pipe: AsyncFileWriter, progress: (Double) -> Void, isCancelled: () -> Bool
  ) throws(RenderError) {
    var feed = TimelineReader(range.timeline, end: range.end)
    var delivery = TailTrimmer(range, to: pipe, sampleRate: sampleRate)
    // Cycles end where the part to be kept begins and where the song does, so that each is kept,
    // trimmed or dropped whole. The bits do not depend on it.
    let borders = [range.start, range.end, range.limit].sorted()
    while feed.now < range.limit || feed.now < range.end {
      let border = borders.first { $0 > feed.now } ?? range.limit
      let frames = min(player.cycleFrames, border - feed.now)
      try feed.withNext(frames) { (cycle, notes) throws(RenderError) in
        try player.render(cycle, notes: notes) { delivery.take($0) }
      }
      progress(Double(frames) / Double(sampleRate))
      if isCancelled() { throw .cancelled }
      if pipe.hasFailed || delivery.isSilent { break }
    }
    player.flush { delivery.take($0) }
    // Without a tail, what the file says at its very end is still to be counted.
    if feed.now == range.end { feed.withNext(1) { _, _ in } }
    // Where the range ends before the song, notes that go on were not forgotten.
    unreleasedNotes = range.endsWithSong ? feed.unreleasedNotes : 0
    isTailCut = delivery.isHeard && range.limit > range.end
  }
}
