import FluidSynthEngine
import LocalSystem
public import MIDIFile

/// The range of frames of a song to be rendered.
public struct FrameRange: Sendable {
  public let timeline: Timeline
  /// The first rendered frame.
  public let start: Int
  /// The end of the song or of the range, where the tail starts.
  public let end: Int
  /// The frames from the first of the song on whose sound is not needed, not even by the effects. A player may skip them.
  let skippable: Int
  /// The latest end of the tail.
  public let limit: Int
  /// The loop that the file marks, in seconds of the song when it is played once.
  package let loop: SongReport.Loop?
  /// The frames in which the sound rises, and those in which it falls at last; empty without a fade.
  let fadeIn: Range<Int>
  let fadeOut: Range<Int>
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
    let frame = timeline.frame(ofSeconds:)
    start = try timeline.frame(of: settings.start)
    let heard = settings.effects.any ? start - (settings.lead.map(frame) ?? start) : start
    // Sound is complete a moment after the skipped frames; see `ExactInstrument.skip(_:endsReleased:)`.
    skippable = max(0, heard - 2 * InstrumentPlayer.cycleFrames)
    let last = settings.frameLimit.map { [start] in start + $0 } ?? Int.max
    end = min(length, last, try settings.end.map(timeline.frame) ?? length)
    guard start < end || (start == 0 && length == 0) else {
      throw .emptyRange(
        start: settings.start.seconds ?? Double(start) / rate, end: Double(end) / rate,
        length: timeline.seconds)
    }
    fadeIn = start..<min(end, start + frame(settings.fadeIn))
    fadeOut =
      settings.fadeOut > 0 ? max(start, end - frame(settings.fadeOut))..<end : looped.fade ?? 0..<0
    if let limit = settings.maximumLength, end - start > frame(limit) {
      throw .tooLong(
        seconds: Double(end - start) / rate, limit: limit, pause: timeline.longestPause(until: end))
    }
    let longest = end + frame(settings.maximumTail)
    // After a fade there is nothing to be heard.
    let isOver = fadeOut.upperBound == end && end > 0 || end == last
    let tailKind = isOver ? RenderSettings.Tail.exact : settings.tail
    endsInSilence = tailKind == .silence
    let tailEnd =
      switch tailKind {
      case .exact: end
      case .silence: longest
      case .bar: timeline.barLine(atOrAfter: Int64(end)).map { min(Int($0), longest) } ?? end
      case .seconds(let seconds): end + frame(seconds)
      }
    limit = min(tailEnd, last)
    let tail =
      switch tailKind {
      case .exact, .bar: 0.0
      case .silence: min(2, settings.maximumTail)
      case .seconds(let seconds): seconds
      }
    expectedSeconds = Double(end) / rate + tail
  }
}

extension Timeline {
  /// Returns the frame nearest to a time, which is limited to some decades.
  fileprivate func frame(ofSeconds seconds: Double) -> Int {
    Int((min(seconds, 1e9) * Double(sampleRate)).rounded())
  }

  /// Returns the frame of a position.
  ///
  /// - Throws: ``RenderError`` if the song has no such bar.
  fileprivate func frame(of position: RenderSettings.Position) throws(RenderError) -> Int {
    switch position {
    case .seconds(let seconds): return frame(ofSeconds: seconds)
    case .bar(let number, let beat):
      let map = beatMap
      let count = Int(map.bar(at: max(0, endFrame - 1)).number)
      // The end of the last bar is the beginning of the next one.
      guard number <= count + 1 else { throw .bar(number, count: count) }
      let begin = map.beat(ofBar: Int64(number))
      let signature = map.bar(at: map.frame(ofBeat: begin)).signature
      let length = 4 / Double(1 << Int(signature.denominatorPower))
      return Int(map.frame(ofBeat: begin + Double(beat - 1) * length))
    }
  }

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
    let speed = try settings.changes.speed(of: song)
    func timeline(_ song: borrowing StandardMIDIFile) throws(RenderError) -> Timeline {
      try mapError(
        song.timeline(sampleRate: settings.sampleRate, speed: speed), RenderError.timeline)
    }
    func changed(_ timeline: Timeline) throws(RenderError) -> Timeline {
      try timeline.changed(by: settings.changes, style: settings.bankStyle)
    }
    let once = try timeline(song)
    guard let points = song.loopPoints else {
      self.timeline = try changed(once)
      return
    }
    let rate = Double(settings.sampleRate)
    let (start, end) = (once.frame(ofTick: points.start), once.frame(ofTick: points.end))
    loop = SongReport.Loop(
      start: Double(start) / rate, end: Double(end) / rate, convention: points.convention,
      count: settings.loops)
    guard settings.loops > 1 || settings.fade != nil, end > start else {
      self.timeline = try changed(once)
      return
    }
    let fadeFrames = Int((min(settings.fade ?? 0, 3600) * rate).rounded())
    // The fade goes on with the loop.
    let turns = settings.loops + (settings.fade == nil ? 0 : fadeFrames / Int(end - start) + 1)
    guard turns * once.events.count <= Self.mostEvents else { throw .tooManyLoops(turns) }
    self.timeline = try changed(timeline(song.playing(points, times: turns)))
    guard settings.fade != nil else { return }
    let length = points.end - points.start
    let begin = Int(
      self.timeline.frame(ofTick: points.end + Int64(settings.loops - 1) * length))
    fade = begin..<begin + fadeFrames
  }
}
