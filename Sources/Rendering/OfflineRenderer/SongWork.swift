import RenderCore

/// Renders one song: reads cycles from the timeline, and renders them with the player.
struct SongWork<Player: SongPlayer> {
  /// Receives the channels of rendered frames, trimmed to the range and the tail.
  typealias Output = ([UnsafeBufferPointer<Float>]) -> Void

  private let range: FrameRange
  private let player: Player
  private let sampleRate: Int
  private var reader: TimelineReader
  private var trimmer: TailTrimmer
  private let borders: [Int]
  /// The number of notes that the song itself does not release.
  private(set) var unreleasedNotes = 0
  /// Whether the tail was still audible at its limit.
  private(set) var isTailCut = false

  init(range: FrameRange, player: Player, settings: RenderSettings) {
    self.range = range
    self.player = player
    sampleRate = settings.sampleRate
    reader = TimelineReader(range.timeline, end: range.end)
    trimmer = TailTrimmer(range, sampleRate: sampleRate)
    // Cycles end at the borders of the range and of the song, so that each is kept, trimmed or dropped as a whole.
    // This does not affect the output.
    borders = [range.skippable, range.start, range.end, range.limit].sorted()
  }

  mutating func run(
    into writer: AsyncFileWriter, progress: (Double) -> Void, isCancelled: () -> Bool
  ) throws(RenderError) {
    while hasFrames {
      let frames = try renderCycle(writer.write)
      progress(Double(frames) / Double(sampleRate))
      if isCancelled() { throw .cancelled }
      if writer.hasFailed { break }
    }
    try finish(writer.write)
  }

  /// Whether there are further frames to render.
  var hasFrames: Bool {
    if reader.now >= range.limit, reader.now >= range.end { return false }
    return !trimmer.isSilent || player.isSounding
  }

  /// Renders the next cycle.
  ///
  /// - Returns: The number of frames.
  mutating func renderCycle(_ output: Output) throws(RenderError) -> Int {
    let border = borders.first { [now = reader.now] in $0 > now } ?? range.limit
    let frames = min(player.cycleFrames, border - reader.now)
    try Self.render(frames, of: &reader, with: player, to: &trimmer, output)
    return frames
  }

  private static func render(
    _ frames: Int, of reader: inout TimelineReader, with player: Player,
    to trimmer: inout TailTrimmer, _ output: Output
  ) throws(RenderError) {
    try reader.withNext(frames) { (cycle) throws(RenderError) in
      try player.render(cycle) { trimmer.process($0, output) }
    }
  }

  /// Passes on the last frames, after the last cycle.
  mutating func finish(_ output: Output) throws(RenderError) {
    try player.flush { trimmer.process($0, output) }
    // Without a tail, the events at the very end still have to be counted.
    if reader.now == range.end { reader.withNext(1) { _ in } }
    // If the range ends before the song, sounding notes are not errors.
    unreleasedNotes = range.endsWithSong ? reader.unreleasedNotes : 0
    isTailCut = trimmer.isAudible && range.limit > range.end
  }
}
