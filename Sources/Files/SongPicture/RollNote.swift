/// A note as a picture shows it.
public struct RollNote: Equatable, Sendable {
  /// The frame of the audio at which it begins; may be before the first.
  public var start: Int
  /// Where its key is let go.
  public var end: Int
  /// Where the pedal lets go of it: `end` or later.
  public var release: Int
  /// 0…127.
  public var key: UInt8
  /// 1…127.
  public var velocity: UInt8
  /// 0…15; drums are on 9.
  public var channel: UInt8

  public init(
    start: Int, end: Int, release: Int, key: UInt8, velocity: UInt8, channel: UInt8
  ) {
    self.start = start
    self.end = end
    self.release = release
    self.key = key
    self.velocity = velocity
    self.channel = channel
  }

  var isDrum: Bool { channel == 9 }
}

/// All notes of a song: gone through twice, and not kept.
public protocol NoteSource {
  /// Hands over all notes, each with the program that plays it, 0…127.
  func forEachNote(_ body: (RollNote, _ program: UInt8) -> Void)
}
