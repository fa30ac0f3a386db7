/// What a render unit is given in one cycle.
///
/// All memory belongs to the caller and lasts for the call.
///
/// Realtime: yes.
public struct RenderCycle: BitwiseCopyable {
  /// The number of frames, and the MIDI events that act in them.
  public var midi: MIDICycle
  /// The first frame's place in the stream of whoever asks: ±2⁶² at most. It jumps where cycles were missed.
  public var position: Int64
  /// Nanoseconds of the system's monotonic clock at which the first frame is heard: ±2⁶² at most.
  public var hostTime: Int64
  /// Where the host's song is, in order of offsets, the first at 0; empty where the host does not say.
  public var transport: UnsafeBufferPointer<TransportPoint>
  /// In order of their offsets; those of one offset in the order in which they act.
  public var parameters: UnsafeBufferPointer<ParameterChange>
  /// What effects work on.
  public var input: AudioInput
  /// One pointer per channel of the format, to ``frames`` samples that are to be written; full
  /// scale is ±1, and what they hold before is undefined.
  public var output: UnsafePointer<UnsafeMutablePointer<Float>>
  /// Where the unit sends MIDI.
  public var midiOutput: MIDIOutput
  /// Where the unit tells how it got on.
  public var feedback: CycleFeedback

  @_noLocks
  public init(
    midi: MIDICycle, position: Int64, hostTime: Int64,
    transport: UnsafeBufferPointer<TransportPoint> = UnsafeBufferPointer(start: nil, count: 0),
    parameters: UnsafeBufferPointer<ParameterChange> = UnsafeBufferPointer(start: nil, count: 0),
    input: AudioInput = AudioInput(), output: UnsafePointer<UnsafeMutablePointer<Float>>,
    midiOutput: MIDIOutput = MIDIOutput(), feedback: CycleFeedback = CycleFeedback()
  ) {
    self.midi = midi
    self.position = position
    self.hostTime = hostTime
    self.transport = transport
    self.parameters = parameters
    self.input = input
    self.output = output
    self.midiOutput = midiOutput
    self.feedback = feedback
  }

  /// 1 or more.
  public var frames: Int { @_noLocks get { midi.frames } }

  /// In order of their offsets; those of one offset in the order in which they act.
  public var events: UnsafeBufferPointer<MIDIEvent> { @_noLocks get { midi.events } }
}
