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
  public init(_ song: StandardMIDIFile, _ settings: RenderSettings) throws(RenderError) {
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
