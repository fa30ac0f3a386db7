import CLink
import LiveAudio
import MIDIFile

/// Lets a song follow the beats of a Link session.
///
/// The song's beats are those of the session, apart from whole bars of four quarter notes: it starts, and continues after
/// a jump, in the session's phase, so that it reaches the position at a bar of the session. If the session's phase changes
/// while the song plays, because it was joined again, the song moves by at most half a bar. The session's tempo replaces the
/// song's. When another member starts or stops the session, the song starts or stops.
///
/// Each cycle ends at the frame of the song that is nearest to the session's beat, so that no error accumulates. An event
/// is at most half a frame of the song from its beat, which is half a frame of the device at the song's tempo, and more at
/// a slower one.
///
/// Realtime: no. Threads: one at a time.
struct LinkedTransport {
  /// The beats of a bar, in whose phase the members of a session agree.
  static let bar = 4.0

  private let memory: LinkMemory
  private var state: link_state?
  /// The session's beat at beat 0 of the song; `nil` while the song must be aligned.
  private var origin: Double?
  private var isSessionPlaying: Bool?

  init(_ memory: LinkMemory) { self.memory = memory }

  /// Aligns the song again with the session's bars, after it was started or has jumped.
  mutating func align() { origin = nil }

  /// The session's tempo, in quarter notes per minute; `nil` while there is no session.
  var tempo: Double? { state?.tempo }

  /// Advances a song over a cycle.
  ///
  /// - Parameters:
  ///   - frames: The length of the cycle.
  ///   - time: The time at which its first frame is heard, in nanoseconds of `MonotonicClock`; `nil` if it is unknown,
  ///     and the song waits.
  /// - Returns: The number of frames by which the song was advanced, 1 or more.
  mutating func advance(_ song: inout SongTransport, by frames: Int, from time: Int64?) -> Int {
    if let current = memory.state { state = current }
    guard let state, let time else {
      pause(&song, frames)
      return frames
    }
    follow(state.is_playing != 0, &song)
    guard song.isPlaying else {
      origin = nil
      song.advance(by: frames)
      return frames
    }
    let begin = Self.beat(of: state, at: time)
    let end = begin + Double(frames) / Double(song.map.sampleRate) * state.tempo / 60
    if let origin, (song.beat - (begin - origin)).magnitude > 0.25 {
      self.origin = realign(&song, at: begin)
    }
    let origin = self.origin ?? align(&song, at: begin)
    let length = Int(clamping: song.map.frame(ofBeat: end - origin) - song.frame)
    let advance = max(1, min(length, 64 * frames))
    song.advance(by: advance)
    // A loop has led back by its length, once or more.
    var reached = origin
    if let loop = song.loop, song.isPlaying {
      let lap = loop.beats.upperBound - loop.beats.lowerBound
      reached += lap * max(0, ((end - origin - song.beat) / lap).rounded())
    }
    self.origin = song.isPlaying ? reached : nil
    return advance
  }

  /// Moves the song back, by less than a bar, to where it is in the session's phase.
  private mutating func align(_ song: inout SongTransport, at beat: Double) -> Double {
    let origin = ((beat - song.beat) / Self.bar).rounded(.up) * Self.bar
    song.jump(toFrame: song.map.frame(ofBeat: beat - origin))
    return origin
  }

  /// Moves a song that plays to the nearest place in the session's phase, but not beyond the end of its loop or its own.
  private mutating func realign(_ song: inout SongTransport, at beat: Double) -> Double {
    var origin = ((beat - song.beat) / Self.bar).rounded() * Self.bar
    if let end = song.courseEnd, song.map.frame(ofBeat: beat - origin) >= end {
      origin += Self.bar
    }
    song.jump(toFrame: song.map.frame(ofBeat: beat - origin))
    return origin
  }

  /// Starts or stops the song if another member has started or stopped the session.
  private mutating func follow(_ isPlaying: Bool, _ song: inout SongTransport) {
    if let before = isSessionPlaying, before != isPlaying {
      isPlaying ? song.continue() : song.stop()
    }
    isSessionPlaying = isPlaying
  }

  /// Advances over a cycle in which the song stands although it plays.
  private func pause(_ song: inout SongTransport, _ frames: Int) {
    let isPlaying = song.isPlaying
    song.stop()
    song.advance(by: frames)
    if isPlaying { song.continue() }
  }

  private static func beat(of state: link_state, at time: Int64) -> Double {
    state.beat + Double(time - state.time) / 60e9 * state.tempo
  }
}
