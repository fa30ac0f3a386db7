public import RenderCore

/// Finds the recurring notes of a song from all its messages, before any is played.
///
/// Realtime: no.
public struct RecurrenceFinder {
  private var channels = [RecurrenceChannel](repeating: RecurrenceChannel(), count: 16)
  /// One hash per note, of its start and of the messages that affect it.
  private var fingerprints: [UInt64] = []

  public init() {}

  /// Processes the next message.
  ///
  /// - Parameter frame: The frame of the message; not earlier than that of the previous message.
  public mutating func process(_ message: ChannelMessage, at frame: Int64) {
    let channel = Int(message.channel)
    if message.startsNote {
      // A second note-on for a key releases the first.
      release(message.data1, channel, at: frame)
      choke(message.data1, channel, at: frame)
      startNote(message, at: frame)
    } else if message.endsNote {
      release(message.data1, channel, at: frame)
    } else {
      let affectsNotes = channels[channel].apply(message, at: frame)
      if affectsNotes { addToNotes(message, of: channel, at: frame) }
    }
  }

  /// Processes a System Exclusive message. Because it may change anything, no note after it is of the
  /// same kind as a note before it.
  public mutating func processSysEx() {
    for channel in channels.indices {
      channels[channel].notes = []
      channels[channel].fingerprint = mixed(
        channels[channel].fingerprint, UInt64(fingerprints.count))
    }
  }

  /// Returns the recurring notes of the messages processed.
  public consuming func finish() -> Recurrence { Recurrence(fingerprints: fingerprints) }

  private mutating func startNote(_ message: ChannelMessage, at frame: Int64) {
    let channel = Int(message.channel)
    channels[channel].notes.append(
      .init(index: fingerprints.count, key: message.data1, start: frame))
    let keyAndVelocity = UInt64(message.data1) << 8 | UInt64(message.data2)
    fingerprints.append(mixed(channels[channel].fingerprint, keyAndVelocity))
  }

  private mutating func release(_ key: UInt8, _ channel: Int, at frame: Int64) {
    channels[channel].forgetEnded(by: frame)
    for i in channels[channel].notes.indices
    where channels[channel].notes[i].key == key && channels[channel].notes[i].isHeld {
      add(1, to: channels[channel].notes[i], at: frame)
      channels[channel].notes[i].released = frame
    }
  }

  /// Ends the drums of the same exclusive class in General MIDI. The SoundFont decides which drums
  /// really end, but most SoundFonts follow General MIDI.
  private mutating func choke(_ key: UInt8, _ channel: Int, at frame: Int64) {
    guard channel == 9 else { return }
    let group = Self.exclusiveGroup(key)
    guard group > 0 else { return }
    for note in channels[channel].notes where Self.exclusiveGroup(note.key) == group {
      add(2, to: note, at: frame)
    }
    channels[channel].notes.removeAll { Self.exclusiveGroup($0.key) == group }
  }

  /// Adds a message to the hashes of the channel's notes, each at the note's own block.
  private mutating func addToNotes(_ message: ChannelMessage, of channel: Int, at frame: Int64) {
    channels[channel].forgetEnded(by: frame)
    let bytes =
      UInt64(message.status & 0xF0) << 16 | UInt64(message.data1) << 8 | UInt64(message.data2)
    for note in channels[channel].notes { add(bytes, to: note, at: frame) }
  }

  private mutating func add(_ bytes: UInt64, to note: RecurrenceChannel.Note, at frame: Int64) {
    let block = UInt64((frame - note.start + 63) / 64)
    fingerprints[note.index] = mixed(fingerprints[note.index], block << 32 | bytes)
  }

  /// Returns the exclusive class of a drum: drums of one class end each other. 0 means no class.
  ///
  /// Source: *General MIDI 2*, "Percussion sound set", exclusive classes.
  private static func exclusiveGroup(_ key: UInt8) -> Int {
    switch key {
    case 29, 30: 1
    case 42, 44, 46: 2
    case 71, 72: 3
    case 73, 74: 4
    case 78, 79: 5
    case 80, 81: 6
    case 86, 87: 7
    default: 0
    }
  }
}

/// Hashes two numbers with the finalizer of SplitMix64.
func mixed(_ a: UInt64, _ b: UInt64) -> UInt64 {
  var z = a &* 0x9E37_79B9_7F4A_7C15 &+ b
  z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
  z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
  return z ^ (z >> 31)
}
