/// The state of a host's song at one frame: position, tempo, meter, loop, and whether it plays or records.
///
/// Positions are in quarter notes from the beginning of the song; they are negative before it. After the frame, the
/// position advances by the tempo, and the tempo by its slope, until the next transport.
///
/// Realtime: yes.
public struct Transport: Equatable, Sendable, BitwiseCopyable {
  /// The values that the host provides. All other values are undefined.
  public var provides: Provision
  /// Whether the song plays. If not, ``beat`` does not advance.
  public var isPlaying = false
  /// Whether the host records.
  public var isRecording = false
  /// Whether the song jumps to ``loopStart`` when it reaches ``loopEnd``.
  public var isLooping = false
  public var meter = Meter()
  /// The position in quarter notes since the beginning of the song.
  public var beat = 0.0
  /// Quarter notes per minute: 0 or more.
  public var tempo = 120.0
  /// The increase of the tempo from each frame to the next, in quarter notes per minute.
  public var tempoSlope = 0.0
  /// The position at which the current bar began, in quarter notes.
  public var barStart = 0.0
  /// The first position of the loop, in quarter notes.
  public var loopStart = 0.0
  /// The end of the loop, in quarter notes: the first position that is not played.
  public var loopEnd = 0.0
  /// The position in the song in frames. It decreases when the song jumps back.
  public var songFrame: Int64 = 0

  /// The values that a host can provide about its song.
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
    /// The empty set, for render threads: `[]` is not `@_noLocks`.
    public static var nothing: Self { @_noLocks get { Self(rawValue: 0) } }

    @_noLocks public func has(_ other: Self) -> Bool { rawValue & other.rawValue == other.rawValue }
  }

  @_noLocks public init(provides: Provision = .all) { self.provides = provides }
}

/// A time signature.
///
/// Realtime: yes.
public struct Meter: Equatable, Sendable, BitwiseCopyable {
  /// The number of counted beats in a bar, the upper number of the time signature: 1…65535.
  public var count: UInt16
  /// The note value of a counted beat, the lower number of the time signature: a power of two, 1…32768.
  public var unit: UInt16

  @_noLocks public init(_ count: UInt16 = 4, _ unit: UInt16 = 4) {
    self.count = count
    self.unit = unit
  }

  /// The length of a counted beat in quarter notes.
  public var beatLength: Double { @_noLocks get { 4 / Double(max(1, unit)) } }
  /// The length of a bar in quarter notes.
  public var barLength: Double { @_noLocks get { Double(max(1, count)) * beatLength } }
}

extension Transport {
  /// Returns the position in quarter notes after `frames`, if no other transport follows before.
  ///
  /// A tempo that decreases to 0 stays at 0; the position then stays the same.
  ///
  /// - Parameters:
  ///   - frames: May be negative or fractional.
  ///   - sampleRate: Frames per second.
  @_noLocks public func beat(after frames: Double, sampleRate: Double) -> Double {
    if !advances { return beat }
    // Stop at the frame at which the tempo reaches 0.
    let frames = tempo + tempoSlope * frames < 0 ? -tempo / tempoSlope : frames
    return beat + frames * (tempo + tempoSlope * frames / 2) / (60 * sampleRate)
  }

  /// Returns the number of frames until a position is reached, if no other transport follows before. The number is
  /// usually fractional, and negative for an earlier position.
  ///
  /// - Returns: Infinity if the position is never reached.
  @_noLocks public func frames(until beat: Double, sampleRate: Double) -> Double {
    if !advances { return .infinity }
    let distance = (beat - self.beat) * 60 * sampleRate
    if distance == 0 { return 0 }
    if tempoSlope == 0 { return tempo > 0 ? distance / tempo : .infinity }
    let square = tempo * tempo + 2 * tempoSlope * distance
    // Negative: the tempo reaches 0 before the position is reached.
    return square < 0 ? .infinity : 2 * distance / (tempo + Self.squareRoot(square))
  }

  /// Returns the transport after `frames`, if no other transport follows before.
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

  /// Returns the transport with the beat of an expected one, if it continues that one but for rounding.
  ///
  /// Many hosts give positions in whole ticks, which are up to a dozen frames. While the song goes on, the position is therefore
  /// counted in frames from the first one that was given, as long as the given ones are within a tick of it.
  ///
  /// - Parameters:
  ///   - expected: The transport that follows from earlier ones.
  ///   - tick: The length of a tick in quarter notes.
  ///   - isNearest: Whether the host gives the nearest tick: the position is then within half a tick of it.
  @_noLocks package func continuing(
    _ expected: Transport, within tick: Double, isNearest: Bool = false
  ) -> Transport {
    guard provides.has(.beat), expected.provides.has(.beat), isPlaying, expected.isPlaying,
      songFrame == expected.songFrame, (beat - expected.beat).magnitude <= tick * 1.01
    else { return self }
    var continued = self
    continued.beat = expected.beat
    if isNearest {
      continued.beat = max(beat - 0.505 * tick, min(expected.beat, beat + 0.505 * tick))
    }
    return continued
  }

  /// Whether ``beat`` advances. A host that does not provide its state is assumed to play.
  public var advances: Bool { @_noLocks get { isPlaying || !provides.has(.state) } }

  /// Returns a square root by Newton's method, because the standard library's square root is not `@_noLocks`.
  @_noLocks private static func squareRoot(_ square: Double) -> Double {
    if square == 0 { return 0 }
    // Halving the exponent gives a value within 6 % of the root. Each step doubles the number of correct digits.
    var root = Double(bitPattern: square.bitPattern >> 1 + 0x1FF8_0000_0000_0000)
    for _ in 0..<5 { root = (root + square / root) / 2 }
    return root
  }
}

/// A transport, and the frame of a cycle at which it takes effect.
///
/// Realtime: yes.
public struct TransportPoint: Equatable, Sendable, BitwiseCopyable {
  /// The frame within the cycle: 0…frames − 1.
  public var offset: UInt32
  public var transport: Transport

  @_noLocks public init(offset: UInt32, _ transport: Transport) {
    self.offset = offset
    self.transport = transport
  }
}
