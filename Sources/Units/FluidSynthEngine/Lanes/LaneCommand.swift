/// A command for a sounding lane.
///
/// The lane applies it at its first block that begins at or after `frame`: 0 to 63 frames late, on the
/// block grid of its note, as every FluidSynth does on its own grid.
struct LaneCommand: BitwiseCopyable {
  /// Counted from the engine's first frame.
  var frame: Int64
  var action: Action

  enum Action: BitwiseCopyable {
    /// A further note in a chain of legato notes, which glides from a key; 255 for no portamento.
    case legato(key: UInt8, velocity: UInt8, glideFrom: UInt8)
    /// The preset of the next note of the chain.
    case program(PresetNumber)
    case noteOff(key: UInt8)
    /// A legato note began that continues no voice: the note is released, whatever holds it.
    case release(key: UInt8)
    case control(number: UInt8, value: UInt8)
    case bend(Int32)
    case bendRange(Int32)
    /// A parameter of ``EnteredParameters``.
    case parameter(number: UInt8, value: UInt16)
    /// Portamento times are linear from this point on.
    case linearPortamentoTime
    case pressure(UInt8)
    case keyPressure(key: UInt8, value: UInt8)
    case generator(Int32, Float)
    /// The table of key pitches of the channel changed while notes sound.
    case tuning(UInt32)
    /// A note of an exclusive class began: the voices of this class fade out, whatever holds them.
    case choke(Int32)
    /// The polyphony limit requires it: the note fades out, whatever holds it.
    case steal
    /// Too many notes are fading out: the note ends immediately, possibly with a click.
    case cut
    /// GM, GS or XG system on.
    case systemReset
  }

  @_noLocks init(frame: Int64, _ action: Action) {
    self.frame = frame
    self.action = action
  }
}

// Commands as numbers, to compare them and to store them in recordings.
extension LaneCommand.Action {
  /// Equal for equal actions; 0 for actions that recordings do not support: further notes of a chain,
  /// tunings, whose tables change, and system resets.
  var code: UInt64 {
    @_noLocks get {
      switch self {
      case .noteOff(let key): Self.code(1, UInt32(key))
      case .control(let number, let value): Self.code(2, UInt32(number) << 8 | UInt32(value))
      case .bend(let position): Self.code(3, UInt32(bitPattern: position))
      case .bendRange(let semitones): Self.code(4, UInt32(bitPattern: semitones))
      case .pressure(let value): Self.code(5, UInt32(value))
      case .keyPressure(let key, let value): Self.code(6, UInt32(key) << 8 | UInt32(value))
      case .generator(let generator, let value):
        Self.code(7, value.bitPattern) | UInt64(UInt8(truncatingIfNeeded: generator)) << 32
      case .choke(let exclusiveClass): Self.code(8, UInt32(bitPattern: exclusiveClass))
      case .steal: Self.code(12, 0)
      case .release(let key): Self.code(13, UInt32(key))
      case .cut: Self.code(9, 0)
      case .parameter(let number, let value): Self.code(10, UInt32(number) << 16 | UInt32(value))
      case .linearPortamentoTime: Self.code(11, 0)
      case .legato, .program, .tuning, .systemReset: 0
      }
    }
  }

  /// Creates the action of a ``code``, which must not be 0.
  @_noLocks init(code: UInt64) {
    let low = UInt32(truncatingIfNeeded: code)
    let (upper, lower) = (UInt8(truncatingIfNeeded: low >> 8), UInt8(truncatingIfNeeded: low))
    switch code >> 56 {
    case 1: self = .noteOff(key: lower)
    case 2: self = .control(number: upper, value: lower)
    case 3: self = .bend(Int32(bitPattern: low))
    case 4: self = .bendRange(Int32(bitPattern: low))
    case 5: self = .pressure(lower)
    case 6: self = .keyPressure(key: upper, value: lower)
    case 7: self = .generator(Int32(UInt8(truncatingIfNeeded: code >> 32)), Float(bitPattern: low))
    case 8: self = .choke(Int32(bitPattern: low))
    case 10:
      self = .parameter(
        number: UInt8(truncatingIfNeeded: low >> 16), value: UInt16(truncatingIfNeeded: low))
    case 11: self = .linearPortamentoTime
    case 12: self = .steal
    case 13: self = .release(key: lower)
    default: self = .cut
    }
  }

  @_noLocks private static func code(_ kind: UInt64, _ value: UInt32) -> UInt64 {
    kind << 56 | UInt64(value)
  }
}
