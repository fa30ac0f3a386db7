/// A note in a picture.
public struct RollNote: Equatable, Sendable {
  /// The frame of the audio at which the note starts; may be negative.
  public var start: Int
  /// The frame at which its key is released.
  public var end: Int
  /// The frame at which the pedal releases it: `end` or later.
  public var release: Int
  /// 0…127.
  public var key: UInt8
  /// 1…127.
  public var velocity: UInt8
  /// 0…15; drums are on 9.
  public var channel: UInt8
  /// The index of the port, with sixteen channels of its own.
  public var port: UInt8

  public init(
    start: Int, end: Int, release: Int, key: UInt8, velocity: UInt8, channel: UInt8, port: UInt8 = 0
  ) {
    self.start = start
    self.end = end
    self.release = release
    self.key = key
    self.velocity = velocity
    self.channel = channel
    self.port = port
  }

  var isDrum: Bool { channel == 9 }
}

/// The notes of a song. They are iterated twice and not stored.
public protocol NoteSource {
  /// Calls `body` for each note with the program that plays it, 0…127.
  func forEachNote(_ body: (RollNote, _ program: UInt8) -> Void)
}
