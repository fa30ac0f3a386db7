import RenderCore

/// Renders one song: reads cycles from the timeline, renders them with the player, and writes them.
struct SongWork<Player: SongPlayer> {
  private let range: FrameRange
  private let player: Player
  private let sampleRate: Int
  /// The number of notes that the song itself does not release.
  private(set) var unreleasedNotes = 0
  /// Whether the tail was still audible at its limit.
  private(set) var isTailCut = false

  init(range: FrameRange, player: Player, settings: RenderSettings) {
    self.range = range
    self.player = player
    sampleRate = settings.sampleRate
  }

  mutating func run(
    into writer: AsyncFileWriter, progress: (Double) -> Void, isCancelled: () -> Bool
  ) throws(RenderError) {
    var reader = TimelineReader(range.timeline, end: range.end)
    var trimmer = TailTrimmer(range, to: writer, sampleRate: sampleRate)
    // Cycles end at the borders of the range and of the song, so that each is kept, trimmed or dropped as a whole.
    // This does not affect the output.
    let borders = [range.start, range.end, range.limit].sorted()
    while reader.now < range.limit || reader.now < range.end {
      let border = borders.first { $0 > reader.now } ?? range.limit
      let frames = min(player.cycleFrames, border - reader.now)
      try reader.withNext(frames) { (cycle, notes) throws(RenderError) in
        try player.render(cycle, notes: notes) { trimmer.process($0) }
      }
      progress(Double(frames) / Double(sampleRate))
      if isCancelled() { throw .cancelled }
      if writer.hasFailed || trimmer.isSilent { break }
    }
    player.flush { trimmer.process($0) }
    // Without a tail, the events at the very end still have to be counted.
    if reader.now == range.end { reader.withNext(1) { _, _ in } }
    // If the range ends before the song, sounding notes are not errors.
    unreleasedNotes = range.endsWithSong ? reader.unreleasedNotes : 0
    isTailCut = trimmer.isAudible && range.limit > range.end
  }
}
