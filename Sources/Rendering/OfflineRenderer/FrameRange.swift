import LocalSystem
public import MIDIFile

/// The range of frames of a song to be rendered.
public struct FrameRange: Sendable {
  public let timeline: Timeline
  /// The first rendered frame.
  public let start: Int
  /// The end of the song or of the range, where the tail starts.
  public let end: Int
  /// The latest end of the tail.
  public let limit: Int
  /// The loop that the file marks, in seconds of the song when it is played once.
  package let loop: SongReport.Loop?
  /// The frames in which the sound fades; empty without a fade.
  let fade: Range<Int>
  /// Whether ``end`` is the end of the song.
  var endsWithSong: Bool { end == Int(timeline.endFrame) }
  /// Whether the tail ends when it becomes silent.
  public let endsInSilence: Bool
  /// The approximate number of seconds to be rendered; the length of the tail is not known yet.
  let expectedSeconds: Double

  /// - Throws: ``RenderError`` if the range is empty or outside the song, or too long.
  public init(_ song: borrowing StandardMIDIFile, _ settings: RenderSettings) throws(RenderError) {
    let rate = Double(settings.sampleRate)
    let looped = try LoopedSong(song, settings)
    (timeline, loop) = (looped.timeline, looped.loop)
    let length = looped.fade.map(\.upperBound) ?? Int(timeline.endFrame)
    func frame(_ seconds: Double) -> Int { Int((min(seconds, 1e9) * rate).rounded()) }
    start = frame(settings.start)
    fade = looped.fade ?? 0..<0
    end = min(length, settings.end.map(frame) ?? length)
    guard start < end || (start == 0 && length == 0) else {
      throw .emptyRange(
        start: settings.start, end: settings.end ?? timeline.seconds, length: timeline.seconds)
    }
    if let limit = settings.maximumLength, end - start > frame(limit) {
      throw .tooLong(
        seconds: Double(end - start) / rate, limit: limit, pause: timeline.longestPause(until: end))
    }
    let longest = end + frame(settings.maximumTail)
    // After a fade there is nothing to be heard.
    let tailKind = looped.fade?.upperBound == end ? RenderSettings.Tail.exact : settings.tail
    endsInSilence = tailKind == .silence
    limit =
      switch tailKind {
      case .exact: end
      case .silence: longest
      case .bar: timeline.barLine(atOrAfter: Int64(end)).map { min(Int($0), longest) } ?? end
      case .seconds(let seconds): end + frame(seconds)
      }
    let tail =
      switch tailKind {
      case .exact, .bar: 0.0
      case .silence: min(2, settings.maximumTail)
      case .seconds(let seconds): seconds
      }
    expectedSeconds = min(settings.end ?? timeline.seconds, timeline.seconds) + tail
  }
}

extension Timeline {
  /// Returns the longest time without any event, in seconds of the song.
  fileprivate func longestPause(until end: Int) -> Range<Double> {
    var last: Int64 = 0
    var pause: Range<Int64> = 0..<0
    for frame in events.lazy.map(\.frame) + [Int64(end)] where frame <= Int64(end) {
      if frame - last > Int64(pause.count) { pause = last..<frame }
      last = frame
    }
    let rate = Double(sampleRate)
    return Double(pause.lowerBound) / rate..<Double(pause.upperBound) / rate
  }
}

/// A song with its loop played as often as the settings say.
struct LoopedSong {
  let timeline: Timeline
  /// `nil` if the file marks none.
  private(set) var loop: SongReport.Loop?
  /// The frames of the fade, at whose end the song ends; `nil` without one.
  private(set) var fade: Range<Int>?

  /// The most ticks of a song with its repetitions, so that a short loop and a long fade need no endless memory.
  private static let mostEvents = 50_000_000

  init(_ song: borrowing StandardMIDIFile, _ settings: RenderSettings) throws(RenderError) {
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
