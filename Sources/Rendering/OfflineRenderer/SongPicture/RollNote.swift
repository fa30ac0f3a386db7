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

  /// The channel, counted through all ports.
  var place: Int { Int(port) * 16 + Int(channel) }
}

/// The preset or the instrument that plays a note.
public struct RollPreset: Hashable, Sendable {
  /// 128 is percussion.
  public var bank: Int
  /// 0…127.
  public var program: Int
  /// The index of an instrument that is no SoundFont; `nil` for a SoundFont's preset.
  public var instrument: Int?

  public init(bank: Int, program: Int) {
    self.bank = bank
    self.program = program
  }

  /// - Parameter isRhythm: Whether the channel is for percussion.
  init(instrument: Int, isRhythm: Bool) {
    (bank, program) = (isRhythm ? 128 : 0, 0)
    self.instrument = instrument
  }
}

/// The notes of a song. They are iterated several times and not stored.
public protocol NoteSource {
  /// Calls `body` for each note with the preset that plays it.
  func forEachNote(_ body: (RollNote, RollPreset) -> Void)

  /// Returns the name of a preset in the SoundFont, or of an instrument; `nil` if it has none.
  func name(of preset: RollPreset) -> String?
}

/// The beats and tempos of a song, with frames of the audio, which may be negative.
public struct RollBeats: Sendable {
  public struct Beat: Sendable {
    public var frame: Int
    /// The number of the bar, from 1.
    public var bar: Int
    /// The time signature if the beat begins a bar; `nil` inside of one.
    public var meter: String?

    public init(frame: Int, bar: Int, meter: String?) {
      self.frame = frame
      self.bar = bar
      self.meter = meter
    }
  }

  public struct Tempo: Sendable {
    public var frame: Int
    /// Quarter notes per minute.
    public var tempo: Double

    public init(frame: Int, tempo: Double) {
      self.frame = frame
      self.tempo = tempo
    }
  }

  /// In ascending order; empty if the song has no beats.
  public var beats: [Beat] = []
  /// In ascending order.
  public var tempos: [Tempo] = []

  public init() {}
}
