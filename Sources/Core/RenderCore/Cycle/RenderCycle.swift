/// The input and output of a render unit in one cycle.
///
/// All memory belongs to the caller, and is valid only during the call.
///
/// Realtime: yes.
public struct RenderCycle: BitwiseCopyable {
  /// The number of frames, and the MIDI events in them.
  public var midi: MIDICycle
  /// The position of the first frame in the caller's stream, in frames: within ±2⁶². It jumps if cycles were missed.
  public var position: Int64
  /// The time at which the first frame is heard, in nanoseconds of the system's monotonic clock: within ±2⁶².
  public var hostTime: Int64
  /// The state of the host's song, in the order of the offsets, the first at 0; empty if the host does not provide it.
  public var transport: UnsafeBufferPointer<TransportPoint>
  /// Parameter changes in the order of their offsets; changes with the same offset are in the order in which they take
  /// effect.
  public var parameters: UnsafeBufferPointer<ParameterChange>
  /// The audio that an effect processes.
  public var input: AudioInput
  /// One pointer for each channel of the format, to memory for ``frames`` samples. The unit must write all of them;
  /// their previous contents are undefined. Full scale is ±1.
  public var output: UnsafePointer<UnsafeMutablePointer<Float>>
  /// The output for MIDI events.
  public var midiOutput: MIDIOutput
  /// The receiver of the unit's reports about the cycle.
  public var feedback: CycleFeedback
  /// Whether the source of ``midi`` has ended before the cycle, as when a JACK client is gone: what it holds ends.
  package var hasSourceEnded = false
  /// Whether a realtime caller has no deadline in this cycle, as in JACK's freewheel. A unit that waits for others, such as
  /// a chain of nodes, then waits for seconds.
  public var isFreewheeling: Bool

  /// The longest wait in a cycle without a deadline, in nanoseconds: half as long as JACK waits for a client.
  package static var longestWait: Int64 { @_noLocks get { 5_000_000_000 } }

  @_noLocks
  public init(
    midi: MIDICycle, position: Int64, hostTime: Int64,
    transport: UnsafeBufferPointer<TransportPoint> = UnsafeBufferPointer(start: nil, count: 0),
    parameters: UnsafeBufferPointer<ParameterChange> = UnsafeBufferPointer(start: nil, count: 0),
    input: AudioInput = AudioInput(), output: UnsafePointer<UnsafeMutablePointer<Float>>,
    midiOutput: MIDIOutput = MIDIOutput(), feedback: CycleFeedback = CycleFeedback(),
    isFreewheeling: Bool = false
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
    self.isFreewheeling = isFreewheeling
  }

  /// The number of frames to render: 1 or more.
  public var frames: Int { @_noLocks get { midi.frames } }

  /// The MIDI events; see ``MIDICycle/events``.
  public var events: UnsafeBufferPointer<MIDIEvent> { @_noLocks get { midi.events } }
}
