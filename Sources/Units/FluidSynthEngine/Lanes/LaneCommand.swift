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
