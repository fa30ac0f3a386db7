public import RenderCore

/// What a renderer plays: every message of a file on its frame.
///
/// An event's frame is the nearest to its tick's true time, reckoned in whole numbers from the
/// beginning, so that nothing drifts; a time halfway between two frames goes to the later one.
/// Events are in order of their ticks; those of one tick in order of tracks, those of one track as
/// in the file. Frame 0 is tick 0. The sequences of a format 2 file follow one another, each from the
/// end of the one before, with a tempo and time signatures of its own, on one common count of ticks.
///
/// Realtime: reading `events` and `sysEx` through `withUnsafeBufferPointer` is; the members that
/// compute are not meant to be.
public struct Timeline: Equatable, Sendable {
  /// Frames per second, 8 000…192 000.
  public let sampleRate: Int
  /// In ascending order of frames.
  public internal(set) var events: [Event] = []
  /// The bytes of all SysEx messages, end to end, each without its F0 and F7.
  public internal(set) var sysEx: [UInt8] = []
  /// What the file says in words, in ascending order of frames.
  public internal(set) var texts: [Text] = []
  /// One for each of the file's tracks, in its order.
  public internal(set) var tracks: [Track] = []
  /// Where the last track ends: at or after the last event.
  public internal(set) var endFrame: Int64 = 0
  /// The exact length as a number of seconds: the time of `endFrame` before it was rounded.
  public internal(set) var seconds: Double = 0

  var tempoMap: TempoMap
  var barLines: BarLines?

  /// A message on its frame. 24 bytes.
  public struct Event: Equatable, Sendable, BitwiseCopyable {
    /// From the timeline's beginning, 0 or more.
    public let frame: Int64
    /// The index of the track in ``Timeline/tracks``.
    public let track: Int32
    public let message: Message

    public init(frame: Int64, track: Int32, _ message: Message) {
      self.frame = frame
      self.track = track
      self.message = message
    }
  }

  public enum Message: Equatable, Sendable, BitwiseCopyable {
    case channel(ChannelMessage)
    /// A place in ``Timeline/sysEx``.
    case sysEx(SysExRange)
  }

  /// The place of a SysEx message in ``Timeline/sysEx``.
  public struct SysExRange: Equatable, Sendable, BitwiseCopyable {
    public let start: UInt32
    public let count: UInt32

    public var indices: Range<Int> { Int(start)..<Int(start) + Int(count) }
  }

  /// A text of the file, such as a syllable, a marker or a name.
  public struct Text: Equatable, Sendable {
    public let frame: Int64
    /// The index of the track in ``Timeline/tracks``.
    public let track: Int32
    public let kind: TextKind
    public let text: String
  }

  /// What there is to know of a track before it is played.
  public struct Track: Equatable, Sendable {
    /// Its first track name.
    public internal(set) var name: String?
    /// Note-ons with a velocity above 0.
    public internal(set) var noteCount = 0
    /// A bit for every channel that has a message here: bit 0 is channel 0.
    public internal(set) var channels: UInt16 = 0
    /// Where the track ends.
    public internal(set) var endFrame: Int64 = 0
  }

  /// Note-ons with a velocity above 0, in all tracks.
  public var noteCount: Int { tracks.reduce(0) { $0 + $1.noteCount } }

  /// The frame of the last event, `nil` where there is none.
  public var lastEventFrame: Int64? { events.last?.frame }

  /// The last frame that an event can have: over a thousand years at any rate, and exact as a
  /// `Double`.
  public static let maximumFrame: Int64 = 1 << 53
}

extension Timeline {
  /// The bytes of a SysEx message, without F0 and F7.
  public func bytes(of range: SysExRange) -> ArraySlice<UInt8> { sysEx[range.indices] }

  /// The frame of a tick: the nearest to its true time, the later where two are as near.
  ///
  /// - Parameter tick: 0 or more, counted through all sequences in format 2. Beyond the end the last
  ///   tempo goes on; a frame too large for its type is held at the largest.
  public func frame(ofTick tick: Int64) -> Int64 {
    precondition(tick >= 0, "a tick is 0 or more")
    return tempoMap.frame(ofTick: tick)
  }

  /// The first tick whose frame is `frame` or later.
  ///
  /// - Parameter frame: 0…``maximumFrame``.
  public func tick(atOrAfter frame: Int64) -> Int64 {
    precondition(0...Self.maximumFrame ~= frame, "a frame is in 0…2⁵³")
    return Int64(clamping: tempoMap.position(atOrAfter: frame, scale: 1))
  }

  /// The frame of the first bar line that is at `frame` or later.
  ///
  /// Bars go on beyond the end of the file. A time signature begins a bar at its own tick, and 4/4
  /// holds until the first one; in format 2 each sequence begins a bar.
  ///
  /// - Parameter frame: 0…``maximumFrame``.
  /// - Returns: `nil` where ticks are parts of time code and there are no beats.
  public func barLine(atOrAfter frame: Int64) -> Int64? {
    precondition(0...Self.maximumFrame ~= frame, "a frame is in 0…2⁵³")
    return barLines?.barLine(atOrAfter: frame, tempoMap)
  }
}
