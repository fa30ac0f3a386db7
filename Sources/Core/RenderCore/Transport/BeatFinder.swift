/// Finds the frames on which the beats of a host's meter fall. Each beat is found once, regardless of transport
/// changes.
///
/// A beat falls on the frame nearest to its exact time, or on the later of two equally near frames, like the notes of a
/// MIDI file. The result does not depend on how the song is divided into cycles.
///
/// - A **jump** of the song in either direction, or a start, starts the search again: a beat that is nearest to its
///   first frame or later is found, an earlier one is not.
/// - A **wobble** is a step of less than 10 ms, or of less than half the distance between beats (or parts of beats) if
///   that is shorter. It occurs when a host measures its tempo, and is shorter than any loop. A beat that the step
///   skips is found immediately; a beat to which the step returns is not found again. If the frames of the song go on without
///   a gap, a step of up to the distance between beats is a wobble: some hosts state one tempo while theirs changes evenly.
/// - If beats are found on two consecutive frames, the second is left out: it is the start of a loop whose end is the
///   same beat.
///
/// In each cycle a unit calls ``begin(_:)`` first. For each transport it then calls ``follow(_:at:)``, and
/// ``next(before:)`` until that returns no further beat before the next transport.
///
/// Realtime: yes.
public struct BeatFinder: Sendable, BitwiseCopyable {
  /// A beat, or a part of a beat.
  public struct Beat: Equatable, Sendable, BitwiseCopyable {
    /// The frame within the cycle.
    public var frame: Int
    /// Quarter notes since the beginning of the song.
    public var position: Double
    /// The index of this part within its bar: 0 is the start of the bar.
    public var part: Int
    /// The number of parts in a beat.
    public var parts: Int
    /// The number of beats in a bar.
    public var beats: Int

    public var beginsBar: Bool { @_noLocks get { part == 0 } }
    public var isWhole: Bool { @_noLocks get { part % parts == 0 } }
    /// Whether the beat is before the beginning of the song, in the pre-roll.
    public var isBeforeSong: Bool { @_noLocks get { position < -BeatFinder.slack } }
  }

  private let sampleRate: Double
  private var transport = Transport()
  /// The frame at which ``transport`` took effect.
  private var origin = 0
  /// The grid of the transport's meter; of 4/4 if it provides none.
  private var grid = Grid(Transport(), parts: 1)
  private var isFollowing = false
  private var parts = 1
  /// Frames of the current cycle.
  private var frames = 0
  /// The first frame on which a beat may be found.
  private var first = 0
  /// The position up to which every beat was found or skipped, in quarter notes.
  private var passed = 0.0
  /// The position of the last beat found, in quarter notes, and its frame.
  private var found = -Double.infinity
  private var foundFrame = Int.min / 2
  /// The next grid line, counted from the start of the bar, and its frame.
  private var line = 0
  private var lineFrame = Int.max

  /// - Parameter sampleRate: Frames per second.
  @_noLocks public init(sampleRate: Int) { self.sampleRate = Double(sampleRate) }

  /// Begins a cycle. If the cycle has no transport, there are no beats.
  @_noLocks public mutating func begin(_ cycle: RenderCycle) {
    origin -= frames
    first = 0
    foundFrame = max(foundFrame - frames, Int.min / 2)
    if lineFrame != .max { lineFrame -= frames }
    frames = cycle.frames
    if cycle.transport.isEmpty { rest() }
  }

  /// Stops finding beats until ``follow(_:at:)`` is called again.
  @_noLocks public mutating func rest() { isFollowing = false }

  /// Updates the song's position, tempo and meter from a transport.
  ///
  /// - Parameter frame: The frame within the cycle at which the transport takes effect; not before an `end` that was
  ///   passed to ``next(before:)``.
  @_noLocks public mutating func follow(_ transport: Transport, at frame: Int) {
    let followed = isFollowing
    let earlierGrid = grid
    let goesOn = transport.isNext(after: self.transport, frames: frame - origin)
    pass(to: frame)
    self.transport = transport
    origin = frame
    first = frame
    grid = Grid(transport, parts: parts)
    isFollowing = transport.provides.has(.beat) && transport.advances && Self.isSound(transport)
    if !isFollowing { return }
    let begin = transport.beat(after: -0.5, sampleRate: sampleRate)
    // Hosts that count all bars as long as this one step to another place where the meter changes.
    if followed, grid.isLike(earlierGrid),
      abs(begin - passed) < (goesOn ? max(tolerance, grid.step) : tolerance)
    {
      seek(from: max(passed, found + 2 * Self.slack))
    } else {
      passed = begin
      found = -.infinity
      seek(from: begin)
      // Skip a beat that is nearer to the previous frame by less than the slack.
      if lineFrame < frame { seek(from: grid[line] + 2 * Self.slack) }
    }
  }

  /// Also finds the parts of beats, from a frame on.
  ///
  /// - Parameters:
  ///   - parts: The number of parts in a beat: 1…64.
  ///   - frame: The frame within the cycle; not before an `end` that was passed to ``next(before:)``.
  @_noLocks public mutating func divide(by parts: Int, at frame: Int) {
    if parts == self.parts { return }
    pass(to: frame)
    self.parts = max(1, min(parts, 64))
    first = frame
    grid = Grid(transport, parts: self.parts)
    if isFollowing { seek(from: max(passed, found + 2 * Self.slack)) }
  }

  /// Returns the next beat before a frame; `nil` if there is none.
  ///
  /// - Parameter end: A frame of the cycle, or its number of frames; not after the next transport.
  @_noLocks public mutating func next(before end: Int) -> Beat? {
    while isFollowing, lineFrame < end {
      let frame = max(lineFrame, first)
      let beat = Beat(
        frame: frame, position: grid[line], part: grid.part(line), parts: parts, beats: grid.beats)
      found = beat.position
      passed = max(passed, found)
      // Skip all other beats that are nearest to this frame in one step, however fast the beats are.
      let after = transport.beat(after: Double(frame - origin) + 0.5, sampleRate: sampleRate)
      seek(from: max(found + 2 * Self.slack, after))
      if frame <= foundFrame + 1 { continue }
      foundFrame = frame
      return beat
    }
    return nil
  }

  /// Updates ``passed`` for a frame that has been reached.
  @_noLocks private mutating func pass(to frame: Int) {
    if !isFollowing { return }
    let reached = transport.beat(after: Double(frame - origin) - 0.5, sampleRate: sampleRate)
    passed = max(passed, reached)
  }

  /// Sets the next grid line to the first one at or after a beat.
  @_noLocks private mutating func seek(from beat: Double) {
    line = grid.line(atOrAfter: beat - Self.slack)
    let time = transport.frames(until: grid[line], sampleRate: sampleRate)
    // Clamped: a longer time does not fit into a cycle.
    lineFrame = time < 1e9 ? origin + floor(max(time, -1e9) + 0.5 + Self.roundingError) : .max
  }

  /// The limit below which a step is a wobble, in quarter notes.
  private var tolerance: Double {
    @_noLocks get { max(Self.slack, min(0.01 / 60 * transport.tempo, grid.step / 2)) }
  }

  /// The distance below which two beats are the same, in quarter notes: the rounding error of a host's arithmetic.
  static var slack: Double { @_noLocks get { 1e-6 } }

  /// The rounding error of a host's arithmetic, in frames. A time that is this close below the middle between two
  /// frames counts as the middle.
  private static var roundingError: Double { @_noLocks get { 0x1p-20 } }

  /// Returns whether all values are small enough to compute with over the length of a cycle.
  @_noLocks private static func isSound(_ transport: Transport) -> Bool {
    abs(transport.beat) < 0x1p30 && abs(transport.barStart) < 0x1p30
      && transport.tempo >= 0 && transport.tempo < 0x1p20 && abs(transport.tempoSlope) < 0x1p4
  }
}

extension Transport {
  /// Whether the song plays on from an earlier transport, as the frames of both tell.
  @_noLocks fileprivate func isNext(after earlier: Transport, frames: Int) -> Bool {
    provides.has(.songFrame) && earlier.provides.has(.songFrame) && isPlaying && earlier.isPlaying
      && songFrame == earlier.songFrame &+ Int64(frames)
  }
}

/// The positions of a meter's beats and their parts: equidistant lines, counted from the start of a bar.
private struct Grid: BitwiseCopyable {
  let start: Double
  /// Quarter notes from one line to the next.
  let step: Double
  let beats: Int
  private let parts: Int

  @_noLocks init(_ transport: Transport, parts: Int) {
    let meter = transport.provides.has(.meter) ? transport.meter : Meter()
    start = transport.provides.has(.meter) ? transport.barStart : 0
    step = meter.beatLength / Double(parts)
    beats = max(1, Int(meter.count))
    self.parts = parts
  }

  /// Whether the lines are those of the same meter.
  @_noLocks func isLike(_ other: Grid) -> Bool { step == other.step && beats == other.beats }

  subscript(line: Int) -> Double { @_noLocks get { start + Double(line) * step } }

  /// Returns the index of a line within its bar.
  @_noLocks func part(_ line: Int) -> Int {
    let count = beats * parts
    let rest = line % count
    return rest < 0 ? rest + count : rest
  }

  @_noLocks func line(atOrAfter beat: Double) -> Int { -floor((start - beat) / step) }
}

/// Returns the largest integer that is not greater than `value`.
///
/// - Parameter value: Within ±2⁶².
@_noLocks private func floor(_ value: Double) -> Int {
  let whole = Int(value)
  return Double(whole) > value ? whole - 1 : whole
}
