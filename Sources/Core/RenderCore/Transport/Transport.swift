/// Where a host's song is at one frame, and how it goes on from there.
///
/// Beats are quarter notes, counted from the song's beginning; before it they are negative. From the frame it
/// holds for, the beat goes on by the tempo, and the tempo by its slope, until the next transport says otherwise.
///
/// Realtime: yes.
public struct Transport: Equatable, Sendable, BitwiseCopyable {
  /// What the host knows. Of what is not in here, the values mean nothing.
  public var provides: Provision
  /// Whether the song goes on. Where it does not, the beat stands still.
  public var isPlaying = false
  /// Whether what is played is recorded.
  public var isRecording = false
  /// Whether the song goes back to ``loopStart`` when it comes to ``loopEnd``.
  public var isLooping = false
  public var meter = Meter()
  /// Quarter notes since the beginning.
  public var beat = 0.0
  /// Quarter notes per minute: 0 or more.
  public var tempo = 120.0
  /// How much the tempo grows from each frame to the next.
  public var tempoSlope = 0.0
  /// The beat on which the present bar began.
  public var barStart = 0.0
  /// In beats; the end is the first beat that is not played.
  public var loopStart = 0.0
  public var loopEnd = 0.0
  /// The place in the host's song, in frames: it goes back when the song does.
  public var songFrame: Int64 = 0

  /// What a host may know of its song.
  public struct Provision: OptionSet, Sendable, BitwiseCopyable {
    public let rawValue: UInt32
    @_noLocks public init(rawValue: UInt32) { self.rawValue = rawValue }
    /// ``Transport/beat``, ``Transport/tempo``, ``Transport/tempoSlope``.
    public static var beat: Self { @_noLocks get { Self(rawValue: 1) } }
    /// ``Transport/meter``, ``Transport/barStart``.
    public static var meter: Self { @_noLocks get { Self(rawValue: 2) } }
    /// ``Transport/isPlaying``, ``Transport/isRecording``.
    public static var state: Self { @_noLocks get { Self(rawValue: 4) } }
    /// ``Transport/isLooping``, ``Transport/loopStart``, ``Transport/loopEnd``.
    public static var loop: Self { @_noLocks get { Self(rawValue: 8) } }
    /// ``Transport/songFrame``.
    public static var songFrame: Self { @_noLocks get { Self(rawValue: 16) } }
    public static var all: Self { @_noLocks get { Self(rawValue: 31) } }
    /// For render threads, to which `[]` is not open.
    public static var nothing: Self { @_noLocks get { Self(rawValue: 0) } }

    @_noLocks public func has(_ other: Self) -> Bool { rawValue & other.rawValue == other.rawValue }
  }

  @_noLocks public init(provides: Provision = .all) { self.provides = provides }
}

/// A time signature.
///
/// Realtime: yes.
public struct Meter: Equatable, Sendable, BitwiseCopyable {
  /// Beats of a bar, as musicians count them: 1…65535.
  public var count: UInt16
  /// What note is one of them: 1, 2, 4, 8 and so on, up to 32768.
  public var unit: UInt16

  @_noLocks public init(_ count: UInt16 = 4, _ unit: UInt16 = 4) {
    self.count = count
    self.unit = unit
  }

  /// Quarter notes of one counted beat.
  public var beatLength: Double { @_noLocks get { 4 / Double(max(1, unit)) } }
  /// Quarter notes of a bar.
  public var barLength: Double { @_noLocks get { Double(max(1, count)) * beatLength } }
}

extension Transport {
  /// The beat so many frames later, if nothing else happens until then.
  ///
  /// A tempo that comes down to nothing stays there, and so does the beat.
  ///
  /// - Parameters:
  ///   - frames: May be negative, and between two frames.
  ///   - sampleRate: Frames per second.
  @_noLocks public func beat(after frames: Double, sampleRate: Double) -> Double {
    if !advances { return beat }
    // Where the tempo comes to nothing.
    let frames = tempo + tempoSlope * frames < 0 ? -tempo / tempoSlope : frames
    return beat + frames * (tempo + tempoSlope * frames / 2) / (60 * sampleRate)
  }

  /// How many frames later a beat comes, if nothing else happens until then: between two frames, mostly, and
  /// negative for a beat that is over.
  ///
  /// - Returns: Infinity if it never comes, or never was.
  @_noLocks public func frames(until beat: Double, sampleRate: Double) -> Double {
    if !advances { return .infinity }
    let distance = (beat - self.beat) * 60 * sampleRate
    if distance == 0 { return 0 }
    if tempoSlope == 0 { return tempo > 0 ? distance / tempo : .infinity }
    let square = tempo * tempo + 2 * tempoSlope * distance
    // A tempo that comes down to nothing gets no further.
    return square < 0 ? .infinity : 2 * distance / (tempo + Self.squareRoot(square))
  }

  /// The same song so many frames later, if nothing else happens until then.
  @_noLocks public func after(frames: Int, sampleRate: Double) -> Transport {
    var later = self
    if !advances { return later }
    later.beat = beat(after: Double(frames), sampleRate: sampleRate)
    later.tempo = max(0, tempo + tempoSlope * Double(frames))
    later.songFrame = songFrame &+ Int64(frames)
    if meter.barLength > 0, later.beat >= barStart + meter.barLength {
      let bars = (later.beat - barStart) / meter.barLength
      if bars < 1e15 { later.barStart = barStart + Double(Int64(bars)) * meter.barLength }
    }
    return later
  }

  /// Whether the beat goes on. A host that does not say whether it plays is taken to.
  public var advances: Bool { @_noLocks get { isPlaying || !provides.has(.state) } }

  /// Newton's method, for the standard library's root is not open to render threads.
  @_noLocks private static func squareRoot(_ square: Double) -> Double {
    if square == 0 { return 0 }
    // Half the exponent: within 6 % of the root, of which each step doubles the digits.
    var root = Double(bitPattern: square.bitPattern >> 1 + 0x1FF8_0000_0000_0000)
    for _ in 0..<5 { root = (root + square / root) / 2 }
    return root
  }
}
