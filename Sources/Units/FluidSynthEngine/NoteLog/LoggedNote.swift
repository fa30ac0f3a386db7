/// The course of one note of an instrument. All frames count from the instrument's first frame.
public struct LoggedNote: Equatable, Sendable, BitwiseCopyable {
  /// The frame at which the note began.
  public internal(set) var onset: Int64
  /// The frame of the message that released the key; −1 if there was none.
  public internal(set) var keyRelease: Int64 = -1
  /// The frame of the message after which nothing held the note: of the key's release, of the pedal that was lifted
  /// later, or of the event that ended it; −1 if there was none.
  public internal(set) var soundRelease: Int64 = -1
  /// The first and the last frame of the note's dry sound with a sample of at least ``threshold``; −1 if there is none.
  public internal(set) var firstAudible: Int64 = -1
  public internal(set) var lastAudible: Int64 = -1
  /// The bank and the program that played; −1 if the channel had no preset.
  public internal(set) var bank: Int32
  public internal(set) var program: Int32
  /// The number of the note that ended this one; −1 if none did.
  public internal(set) var endedBy: Int32 = -1
  /// The number of the note that this one returns to: a monophonic channel plays it again, without a note-on, when a later
  /// key is released and its own is still down. −1 for a note that was struck.
  public internal(set) var returnOf: Int32 = -1
  public internal(set) var channel: UInt8
  public internal(set) var key: UInt8
  public internal(set) var velocity: UInt8
  public internal(set) var ending = Ending.released

  /// The lowest level that counts as audible: −90 dBFS, linear.
  public static var threshold: Float { @_noLocks get { 3.162_277_7e-5 } }

  /// How a note ended. A note that was choked or stolen while it faded after its release counts as choked or stolen.
  public enum Ending: UInt8, CaseIterable, Sendable, BitwiseCopyable {
    /// By the release of its key, or by itself.
    case released
    /// Its key was struck again.
    case retriggered
    /// A note continued in its voices, as legato requires.
    case continued
    /// A note of the same exclusive class began.
    case choked
    /// The polyphony limit required it.
    case stolen
    /// By a message that ends all notes: all notes off, all sound off, or a reset of the system.
    case silenced
    /// It made no sound: the SoundFont has none for it, or its channel is off.
    case unmapped
    /// It shared one synth, plugin or node with other notes, so its sound was not measured.
    case shared
  }

  @_noLocks init(
    onset: Int64, channel: UInt8, key: UInt8, velocity: UInt8, preset: PresetNumber
  ) {
    self.onset = onset
    self.channel = channel
    self.key = key
    self.velocity = velocity
    bank = preset.bank
    program = preset.bank < 0 ? -1 : preset.program
  }

  /// A note of which only the messages are known, because another program or a plugin has played it.
  ///
  /// - Parameters:
  ///   - keyRelease: The frame at which its key was released.
  ///   - soundRelease: The frame from which no pedal held it, either.
  package init(
    onset: Int64, channel: UInt8, key: UInt8, velocity: UInt8, keyRelease: Int64,
    soundRelease: Int64
  ) {
    self.init(onset: onset, channel: channel, key: key, velocity: velocity, preset: .none)
    (self.keyRelease, self.soundRelease, ending) = (keyRelease, soundRelease, .shared)
  }

  /// Sets the frames between which the sound of the note was measured, which nobody else shares.
  package mutating func setSound(_ frames: Range<Int>) {
    (firstAudible, lastAudible) = (Int64(frames.lowerBound), Int64(frames.upperBound - 1))
    ending = .released
  }

  package init() {
    self.init(onset: -1, channel: 0, key: 0, velocity: 0, preset: .none)
  }
}
