/// Finds the frames on which the beats of a host's meter fall: each once, whatever the transport does.
///
/// A beat falls on the frame nearest to its true time, the later one where two are as near, as a note of a MIDI
/// file does. So it does not matter how the song is cut into cycles.
///
/// - A **jump** of the song, forth or back, or a start, begins anew: what is nearest to its first frame or
///   comes after is found, what came before is passed over.
/// - A **wobble** is a step of less than 10 ms, or half a beat where that is less: what a host's clock does whose
///   tempo is measured, and less than any loop. A beat that it skips is found at once, and one that it comes back to is not found again.
/// - Where beats are found on two frames that follow each other, the second is left out: it is the beginning of
///   a loop, whose end was said to be the same beat.
///
/// A unit calls ``begin(_:)`` first in each cycle; then ``follow(_:at:)`` with every transport, and ``next(before:)``
/// until there is none before the next one.
///
/// Realtime: yes.
public struct BeatFinder: Sendable, BitwiseCopyable {
  /// A beat, or a part of one.
  public struct Beat: Equatable, Sendable, BitwiseCopyable {
    /// Frame of the cycle.
    public var frame: Int
    /// Quarter notes since the song's beginning.
    public var position: Double
    /// Which of its bar's parts it is: 0 is the bar's beginning.
    public var part: Int
    /// Parts of a beat, and beats of a bar.
    public var parts: Int
    public var beats: Int

    public var beginsBar: Bool { @_noLocks get { part == 0 } }
    public var isWhole: Bool { @_noLocks get { part % parts == 0 } }
    /// Whether it belongs to the pre-roll.
    public var isBeforeSong: Bool { @_noLocks get { position < -BeatFinder.slack } }
  }

  private let sampleRate: Double
  /// Of what is followed, the frame from which it holds, and its meter, or 4/4 where there is none.
  private var transport = Transport()
  private var origin = 0
  private var grid = Grid(Transport(), parts: 1)
  private var isFollowing = false
  private var parts = 1
  /// Frames of the present cycle.
  private var frames = 0
  /// Nothing is found on a frame before this.
  private var first = 0
  /// The beat up to which everything has been found or passed over.
  private var passed = 0.0
  /// The beat that was found last, and its frame.
  private var found = -Double.infinity
  private var foundFrame = Int.min / 2
  /// What comes next: the number of grid lines after the bar's beginning, and the frame.
  private var line = 0
  private var lineFrame = Int.max

  /// - Parameter sampleRate: Frames per second.
  @_noLocks public init(sampleRate: Int) { self.sampleRate = Double(sampleRate) }

  /// Begins a cycle. Where the host says nothing of its song in it, there are no beats.
  @_noLocks public mutating func begin(_ cycle: RenderCycle) {
    origin -= frames
    first = 0
    foundFrame = max(foundFrame - frames, Int.min / 2)
    if lineFrame != .max { lineFrame -= frames }
    frames = cycle.frames
    if cycle.transport.isEmpty { rest() }
  }

  /// Finds nothing until a transport is followed again.
  @_noLocks public mutating func rest() { isFollowing = false }

  /// Takes over where the song is, and how it goes on.
  ///
  /// - Parameter frame: Of the cycle; not before any that was asked for.
  @_noLocks public mutating func follow(_ transport: Transport, at frame: Int) {
    let followed = isFollowing
    pass(to: frame)
    self.transport = transport
    origin = frame
    first = frame
    grid = Grid(transport, parts: parts)
    isFollowing = transport.provides.has(.beat) && transport.advances && Self.isSound(transport)
    if !isFollowing { return }
    let begin = transport.beat(after: -0.5, sampleRate: sampleRate)
    if followed, abs(begin - passed) < tolerance {
      seek(from: max(passed, found + 2 * Self.slack))
    } else {
      passed = begin
      found = -.infinity
      seek(from: begin)
      // One that is nearer to the frame before, by less than the slack.
      if lineFrame < frame { seek(from: grid[line] + 2 * Self.slack) }
    }
  }

  /// Finds the parts of beats as well, from a frame on.
  ///
  /// - Parameters:
  ///   - parts: Of a beat: 1…64.
  ///   - frame: Of the cycle; not before any that was asked for.
  @_noLocks public mutating func divide(by parts: Int, at frame: Int) {
    if parts == self.parts { return }
    pass(to: frame)
    self.parts = max(1, min(parts, 64))
    first = frame
    grid = Grid(transport, parts: self.parts)
    if isFollowing { seek(from: max(passed, found + 2 * Self.slack)) }
  }

  /// - Parameter end: A frame of the cycle, or its end; not after the next transport.
  /// - Returns: The next beat before it, `nil` if there is none.
  @_noLocks public mutating func next(before end: Int) -> Beat? {
    while isFollowing, lineFrame < end {
      let frame = max(lineFrame, first)
      let beat = Beat(
        frame: frame, position: grid[line], part: grid.part(line), parts: parts, beats: grid.beats)
      found = beat.position
      passed = max(passed, found)
      // However fast the beats are: not one by one those that are nearest to this frame as well.
      let after = transport.beat(after: Double(frame - origin) + 0.5, sampleRate: sampleRate)
      seek(from: max(found + 2 * Self.slack, after))
      if frame <= foundFrame + 1 { continue }
      foundFrame = frame
      return beat
    }
    return nil
  }

  /// Settles up to which beat everything has been found, when a frame has been reached.
  @_noLocks private mutating func pass(to frame: Int) {
    if !isFollowing { return }
    let reached = transport.beat(after: Double(frame - origin) - 0.5, sampleRate: sampleRate)
    passed = max(passed, reached)
  }

  /// Makes the first line of the grid at or after a beat the next one.
  @_noLocks private mutating func seek(from beat: Double) {
    line = grid.line(atOrAfter: beat - Self.slack)
    let time = transport.frames(until: grid[line], sampleRate: sampleRate)
    // Up to a beat too far away for a cycle.
    lineFrame = time < 1e9 ? origin + floor(max(time, -1e9) + 0.5 + Self.roundingError) : .max
  }

  /// The longest step that is a wobble, in quarter notes.
  private var tolerance: Double {
    @_noLocks get { max(Self.slack, min(0.01 / 60 * transport.tempo, grid.step / 2)) }
  }

  /// Beats that lie closer than this are one: they differ by what a host's arithmetic leaves.
  static var slack: Double { @_noLocks get { 1e-6 } }

  /// What a host's arithmetic leaves of a frame: a time that is so much short of half-way is half-way.
  private static var roundingError: Double { @_noLocks get { 0x1p-20 } }

  /// Whether its numbers can be reckoned with, for as long as a cycle may be.
  @_noLocks private static func isSound(_ transport: Transport) -> Bool {
    abs(transport.beat) < 0x1p30 && abs(transport.barStart) < 0x1p30
      && transport.tempo >= 0 && transport.tempo < 0x1p20 && abs(transport.tempoSlope) < 0x1p4
  }
}

/// Where the beats of a meter are, and their parts: lines at equal distances from a bar's beginning.
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

  subscript(line: Int) -> Double { @_noLocks get { start + Double(line) * step } }

  /// Which part of its bar a line is.
  @_noLocks func part(_ line: Int) -> Int {
    let count = beats * parts
    let rest = line % count
    return rest < 0 ? rest + count : rest
  }

  @_noLocks func line(atOrAfter beat: Double) -> Int { -floor((start - beat) / step) }
}

/// - Parameter value: ±2⁶² at most.
@_noLocks private func floor(_ value: Double) -> Int {
  let whole = Int(value)
  return Double(whole) > value ? whole - 1 : whole
}
