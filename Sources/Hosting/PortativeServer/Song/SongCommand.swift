import LivePlayer
import LocalSystem
import MIDIFile
import NodeProtocol

/// A command for the song of a server.
enum SongCommand: Equatable, Sendable {
  /// Plays from the start, after the count-in.
  case start
  case stop
  /// Plays from where the song is.
  case `continue`
  case togglePlay
  case jump(seconds: Double)
  case jumpToBar(Int)
  /// Repeats bars; `nil`: the whole song.
  case loop(ClosedRange<Int>?)
  case endLoop

  /// - Throws: ``Failure`` if the request lacks a field.
  init(_ request: CommandSong) throws(Failure) {
    switch request.command {
    case .start: self = .start
    case .stop: self = .stop
    case .continue: self = .continue
    case .togglePlay: self = .togglePlay
    case .endLoop: self = .endLoop
    case .jump:
      if let position = request.position {
        self = .jump(seconds: position)
      } else if let bar = request.bar {
        self = .jumpToBar(bar)
      } else {
        throw Failure(.usage, "a jump needs a position in seconds, or a bar")
      }
    case .loop:
      guard let first = request.bar else {
        self = .loop(nil)
        return
      }
      let last = request.lastBar ?? first
      guard last >= first else {
        throw Failure(.usage, "the last bar of a loop must be \(first) or later, but is \(last)")
      }
      self = .loop(first...last)
    }
  }

  /// Executes the command.
  ///
  /// - Throws: ``Failure`` if the song has no such place.
  func execute(on song: RunningSong, countIn: Int) throws(Failure) {
    let remote = song.remote
    switch self {
    case .start: remote.play(countIn: countIn)
    case .stop: remote.execute(.stop)
    case .continue: try play(song, countIn)
    case .togglePlay:
      if remote.transport?.isPlaying == true {
        remote.execute(.stop)
      } else {
        try play(song, countIn)
      }
    case .endLoop: remote.execute(.loop(isOn: false))
    case .jump(let seconds):
      guard let map = song.timeline?.beatMap else { return }
      guard seconds.isFinite, 0..<1e6 ~= seconds else {
        throw Failure(.usage, "a position must be 0 seconds or more, but is \(seconds)")
      }
      let frame = Int64((seconds * Double(map.sampleRate)).rounded())
      remote.execute(.jump(beat: map.beat(at: frame)))
    case .jumpToBar(let bar):
      remote.execute(.jump(beat: try Self.beats(of: bar...bar, in: song).lowerBound))
    case .loop(let bars):
      let beats = try Self.beats(of: bars, in: song)
      do throws(LoopError) {
        try remote.loop(beats)
      } catch {
        throw Failure(.usage, "\(error)")
      }
    }
  }

  /// Plays from where the song is, or from the start if it has ended.
  private func play(_ song: RunningSong, _ countIn: Int) throws(Failure) {
    guard let transport = song.remote.transport else { return }
    let isAtEnd = transport.end.map { transport.frame >= $0 } ?? false
    if transport.frame <= 0 || isAtEnd {
      song.remote.play(countIn: countIn)
    } else {
      song.remote.execute(.continue)
    }
  }

  /// The beats of bars, or of the whole song.
  private static func beats(
    of bars: ClosedRange<Int>?, in song: RunningSong
  ) throws(Failure) -> Range<Double> {
    guard let timeline = song.timeline else { return 0..<0 }
    let map = timeline.beatMap
    guard let bars else { return 0..<max(0, map.beat(at: timeline.endFrame)) }
    let count = map.bar(at: max(0, timeline.endFrame - 1)).number
    guard bars.lowerBound >= 1, bars.lowerBound <= count else {
      throw Failure(.usage, "a bar must be 1 to \(count), but is \(bars.lowerBound)")
    }
    return map.beat(ofBar: Int64(bars.lowerBound))..<map.beat(ofBar: Int64(bars.upperBound) + 1)
  }
}
