import FluidSynthInstrument
import RenderCore

/// One song in the making: cycle after cycle from the feed through the instrument to the pipe.
struct SongWork {
  private let range: FrameRange
  private let instrument: OfflineInstrument
  private let sampleRate: Double
  private var feed: CycleFeed
  private var trimmer: SilenceTrimmer
  private var left = [Float](repeating: 0, count: SongRenderer.cycleFrames)
  private var right = [Float](repeating: 0, count: SongRenderer.cycleFrames)

  init(range: FrameRange, instrument: OfflineInstrument, settings: RenderSettings) {
    self.range = range
    self.instrument = instrument
    sampleRate = Double(settings.sampleRate)
    feed = CycleFeed(range.timeline, end: range.end)
    trimmer = SilenceTrimmer(sampleRate: settings.sampleRate)
  }

  /// Where the range ends before the song, notes that go on were not forgotten.
  var unreleasedNotes: Int { range.endsWithSong ? feed.unreleasedNotes : 0 }
  /// Whether the tail was still heard at its limit.
  private(set) var isTailCut = false

  mutating func run(
    into pipe: AudioPipe, progress: (Double) -> Void, isCancelled: () -> Bool
  ) throws(RenderError) {
    // Cycles end where the part to be kept begins and where the song does, so that each is kept,
    // trimmed or dropped whole. The bits do not depend on it.
    let borders = [range.start, range.end, range.limit].sorted()
    while feed.now < range.limit || feed.now < range.end {
      let border = borders.first { $0 > feed.now } ?? range.limit
      let begin = feed.now
      let frames = min(SongRenderer.cycleFrames, border - begin)
      try renderCycle(frames)
      deliver(from: begin, frames, to: pipe)
      progress(Double(frames) / sampleRate)
      if isCancelled() { throw .cancelled }
      if pipe.hasFailed { return }
      if range.endsInSilence, begin >= range.end, trimmer.isSilent { return }
    }
    // Without a tail, what the file says at its very end is still to be counted.
    if feed.now == range.end { feed.withNext(1) { _, _ in } }
    isTailCut = range.endsInSilence && trimmer.isHeard && range.limit > range.end
  }

  private mutating func renderCycle(_ frames: Int) throws(RenderError) {
    do throws(InstrumentError) {
      try feed.withNext(frames) { (cycle, notes) throws(InstrumentError) in
        try instrument.render(cycle, notes: notes, left: &left, right: &right)
      }
    } catch {
      throw .instrument(error)
    }
  }

  private mutating func deliver(from begin: Int, _ frames: Int, to pipe: AudioPipe) {
    guard begin >= range.start else { return }
    let (left, right) = (left, right)
    let leftSpan = left.span.extracting(first: frames)
    let rightSpan = right.span.extracting(first: frames)
    if range.endsInSilence, begin >= range.end {
      trimmer.add(left: leftSpan, right: rightSpan) { left, right in
        pipe.write(left: left, right: right)
      }
    } else {
      pipe.write(left: leftSpan, right: rightSpan)
    }
  }
}
