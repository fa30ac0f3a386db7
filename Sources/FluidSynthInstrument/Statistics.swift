/// What an instrument has done since it was made.
public struct Statistics: Equatable, Sendable, BitwiseCopyable {
  /// Note-ons received.
  public var notes = 0
  /// Notes that made no voice: no preset, or nothing for that key and velocity in it.
  public var silentNotes = 0
  /// Notes that found no lane and shared the voices of one synth, up to 63 frames late. Always 0
  /// offline; not counted in `stock`, where no note claims its frame.
  public var inexactOnsets = 0
  /// Notes that went on in the lane of the note before, as legato asks.
  public var legatoNotes = 0
  /// Notes ended early for the polyphony limit.
  public var stolenNotes = 0
  /// The most voices at once, seen at the ends of cycles and where notes begin. Those of a note that
  /// have ended are noticed within 16 blocks.
  public var mostVoices = 0
  /// The most lanes at once.
  public var mostLanes = 0
  /// Lanes made.
  public var lanes = 0
  /// Effect sends clipped at +18 dBFS, in samples.
  public var clippedSends = 0

  @_noLocks public init() {}
}
