/// What a render unit is given in one cycle.
///
/// All memory belongs to the caller and lasts for the call.
///
/// Realtime: yes.
public struct RenderCycle: BitwiseCopyable {
  /// How many frames, and the events that act in them.
  public var cycle: Cycle
  /// The first frame's place in the stream of whoever asks: ±2⁶² at most. It jumps where cycles were missed.
  public var position: Int64
  /// Nanoseconds of the system's monotonic clock at which the first frame is heard: ±2⁶² at most.
  public var hostTime: Int64
  /// One pointer per channel of the format, to `cycle.frames` samples that are to be written; full
  /// scale is ±1, and what they hold before is undefined.
  public var output: UnsafePointer<UnsafeMutablePointer<Float>>
  /// Where the unit sends MIDI.
  public var midiOutput: MIDIOutput

  @_noLocks
  public init(
    cycle: Cycle, position: Int64, hostTime: Int64,
    output: UnsafePointer<UnsafeMutablePointer<Float>>, midiOutput: MIDIOutput = MIDIOutput()
  ) {
    self.cycle = cycle
    self.position = position
    self.hostTime = hostTime
    self.output = output
    self.midiOutput = midiOutput
  }
}
