/// What an instrument has done since it was made.
public struct Statistics: Equatable, Sendable, BitwiseCopyable {
  /// Note-ons received.
  public var notes = 0
  /// Notes that have ended and whose samples were all zero, as they were rendered; among them those of
  /// ``unmappedNotes`` and ``voicelessNotes``. Where notes share a synth, those that made no voice.
  public var silentNotes = 0
  /// Notes that the SoundFont has nothing for: no preset, or no zone for that key and velocity; and notes
  /// on channels that a mode message has shut.
  public var unmappedNotes = 0
  /// Notes that found neither a lane nor a free voice.
  public var voicelessNotes = 0
  /// Notes that found no lane and shared the voices of one synth, up to 63 frames late. Always 0
  /// offline; not counted in `stock`, where no note claims its frame.
  public var inexactOnsets = 0
  /// Notes that began before their samples were in memory: live only, where a program was just chosen. They
  /// begin as soon as the samples are there, or make no sound if they are over by then.
  public var unloadedNotes = 0
  /// Notes that went on in the lane of the note before, as legato asks.
  public var legatoNotes = 0
  /// Notes ended early for the polyphony limit; where notes share a synth, those that lost their last
  /// voice to another.
  public var stolenNotes = 0
  /// The most voices at once, seen at the ends of cycles and where notes begin. Those of a note that
  /// have ended are noticed within 16 blocks.
  public var mostVoices = 0
  /// The most lanes at once.
  public var mostLanes = 0
  /// Lanes made.
  public var lanes = 0
  /// Lanes taken out of use because their voices did not end; 0 unless the library fails.
  public var unusableLanes = 0
  /// Effect sends clipped at +18 dBFS, in samples.
  public var clippedSends = 0

  @_noLocks public init() {}
}
