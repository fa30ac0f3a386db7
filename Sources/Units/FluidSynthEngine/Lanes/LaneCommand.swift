/// What a sounding lane is told, and from which frame on.
///
/// A lane obeys at its first block that begins at or after `frame`: 0 to 63 frames late, on the grid
/// that its note's onset laid, as every FluidSynth does on its one grid.
struct LaneCommand: BitwiseCopyable {
  /// Counted from the engine's first frame.
  var frame: Int64
  var action: Action

  enum Action: BitwiseCopyable {
    /// A further note in a chain of legato notes, or where no lane was free.
    case noteOn(key: UInt8, velocity: UInt8)
    case noteOff(key: UInt8)
    case control(number: UInt8, value: UInt8)
    case bend(Int32)
    case bendRange(Int32)
    /// One of ``EnteredParameters``.
    case parameter(number: UInt8, value: UInt16)
    /// Portamento times are linear from now on.
    case linearPortamentoTime
    case pressure(UInt8)
    case keyPressure(key: UInt8, value: UInt8)
    case generator(Int32, Float)
    /// The channel's table of key pitches changed while notes sound.
    case tuning(UInt32)
    /// A note of the same exclusive class began, or the polyphony limit needs the place: the note
    /// fades from now on, whatever holds it.
    case choke
    /// So many notes fade already that this one ends at once, with what click that may make.
    case cut
    /// GM, GS or XG system on.
    case systemReset
  }

  @_noLocks init(frame: Int64, _ action: Action) {
    self.frame = frame
    self.action = action
  }
}
