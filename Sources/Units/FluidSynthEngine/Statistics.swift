/// Counters of an instrument since its creation.
public struct Statistics: Equatable, Sendable, BitwiseCopyable {
  /// Note-ons received.
  public var notes = 0
  /// Notes that have ended and whose rendered samples were all zero, including ``unmappedNotes`` and
  /// ``voicelessNotes``. Of notes that share a synth, those that got no voice.
  public var silentNotes = 0
  /// Notes for which the SoundFont has no preset, or no zone for their key and velocity; and notes on
  /// channels that a channel mode message has disabled.
  public var unmappedNotes = 0
  /// Notes for which there was neither a lane nor a free voice.
  public var voicelessNotes = 0
  /// Notes without a lane, which shared the voices of one synth and began up to 63 frames late. Always 0
  /// offline. Not counted in `stock`, which does not place notes on their frames.
  public var inexactOnsets = 0
  /// Notes that arrived before their samples were in memory. This happens only live, directly after a
  /// program change. Such a note begins when its samples are loaded; it is silent if it has ended by then.
  public var unloadedNotes = 0
  /// Notes that continued in the lane of the previous note, as legato requires.
  public var legatoNotes = 0
  /// Notes ended early by the polyphony limit. Of notes that share a synth, those that lost their last
  /// voice to another note.
  public var stolenNotes = 0
  /// The maximum number of simultaneous voices, sampled at the end of each cycle and at note onsets. The
  /// end of a voice is detected within 16 blocks.
  public var mostVoices = 0
  /// The maximum number of simultaneous lanes.
  public var mostLanes = 0
  /// Lanes created.
  public var lanes = 0
  /// Lanes disabled because their voices did not end; 0 unless the library is faulty.
  public var unusableLanes = 0
  /// Samples of effect sends that were clipped at +18 dBFS.
  public var clippedSends = 0

  @_noLocks public init() {}
}
