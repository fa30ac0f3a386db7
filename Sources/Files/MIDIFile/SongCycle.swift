public import RenderCore

/// One cycle of a song.
///
/// The memory belongs to the caller, and is valid only during the call that receives the cycle.
public struct SongCycle {
  public let midi: MIDICycle
  /// The origin of each event of ``midi``.
  public let origins: UnsafeBufferPointer<EventOrigin>
  /// The number of notes that start in the cycle.
  public let notes: Int

  public var frames: Int { midi.frames }

  package init(midi: MIDICycle, origins: UnsafeBufferPointer<EventOrigin>, notes: Int) {
    self.midi = midi
    self.origins = origins
    self.notes = notes
  }
}

/// Where an event of a song is from.
public struct EventOrigin: Equatable, Sendable, BitwiseCopyable {
  /// The index of the track; `nil` for a message that is in no track, such as the release of a note at the end of the
  /// song.
  public let track: Int32?
  /// The index of the port in ``Timeline/ports``.
  public let port: UInt8

  package init(track: Int32?, port: UInt8) {
    self.track = track
    self.port = port
  }
}
