import LocalSystem
import MIDIFile

/// A song with its loop played as often as the settings say.
struct LoopedSong {
  let timeline: Timeline
  /// `nil` if the file marks none.
  private(set) var loop: SongReport.Loop?
  /// The frames of the fade, at whose end the song ends; `nil` without one.
  private(set) var fade: Range<Int>?

  /// The most ticks of a song with its repetitions, so that a short loop and a long fade need no endless memory.
  private static let mostEvents = 50_000_000

  init(_ song: StandardMIDIFile, _ settings: RenderSettings) throws(RenderError) {
    let once = try mapError(song.timeline(sampleRate: settings.sampleRate), RenderError.timeline)
    guard let points = song.loopPoints else {
      timeline = once
      return
    }
    let rate = Double(settings.sampleRate)
    let (start, end) = (once.frame(ofTick: points.start), once.frame(ofTick: points.end))
    loop = SongReport.Loop(
      start: Double(start) / rate, end: Double(end) / rate, convention: points.convention,
      count: settings.loops)
    guard settings.loops > 1 || settings.fade != nil, end > start else {
      timeline = once
      return
    }
    let fadeFrames = Int((min(settings.fade ?? 0, 3600) * rate).rounded())
    // The fade goes on with the loop.
    let turns = settings.loops + (settings.fade == nil ? 0 : fadeFrames / Int(end - start) + 1)
    guard turns * once.events.count <= Self.mostEvents else { throw .tooManyLoops(turns) }
    timeline = try mapError(
      song.playing(points, times: turns).timeline(sampleRate: settings.sampleRate),
      RenderError.timeline)
    guard settings.fade != nil else { return }
    let begin = Int(
      timeline.frame(ofTick: points.end + Int64(settings.loops - 1) * (points.end - points.start)))
    fade = begin..<begin + fadeFrames
  }
}
