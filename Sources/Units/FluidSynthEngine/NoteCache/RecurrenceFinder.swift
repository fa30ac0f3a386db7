public import RenderCore

/// Follows a song's messages, all of them and before any is played, to find which notes recur.
///
/// Realtime: no.
public struct RecurrenceFinder {
  private var channels = [RecurrenceChannel](repeating: RecurrenceChannel(), count: 16)
  /// For each note a number that grows out of all that it is known to be and to hear.
  private var courses: [UInt64] = []

  public init() {}

  /// - Parameter frame: Not before that of the message before.
  public mutating func follow(_ message: ChannelMessage, at frame: Int64) {
    let channel = Int(message.channel)
    if message.startsNote {
      // A second stroke ends the first.
      release(message.data1, channel, at: frame)
      choke(message.data1, channel, at: frame)
      begin(message, at: frame)
    } else if message.endsNote {
      release(message.data1, channel, at: frame)
    } else {
      let isHeard = channels[channel].tell(message, at: frame)
      if isHeard { passOn(message, to: channel, at: frame) }
    }
  }

  /// Follows a System Exclusive message, which may change anything: nothing after it is taken for
  /// equal to anything before.
  public mutating func followSysEx() {
    for channel in channels.indices {
      channels[channel].notes = []
      channels[channel].fingerprint = mixed(channels[channel].fingerprint, UInt64(courses.count))
    }
  }

  public consuming func finish() -> Recurrence { Recurrence(courses: courses) }

  private mutating func begin(_ message: ChannelMessage, at frame: Int64) {
    let channel = Int(message.channel)
    channels[channel].notes.append(
      .init(index: courses.count, key: message.data1, start: frame))
    let stroke = UInt64(message.data1) << 8 | UInt64(message.data2)
    courses.append(mixed(channels[channel].fingerprint, stroke))
  }

  private mutating func release(_ key: UInt8, _ channel: Int, at frame: Int64) {
    channels[channel].forgetEnded(by: frame)
    for i in channels[channel].notes.indices
    where channels[channel].notes[i].key == key && channels[channel].notes[i].isHeld {
      add(1, to: channels[channel].notes[i], at: frame)
      channels[channel].notes[i].released = frame
    }
  }

  /// Lets a drum end those that General MIDI says it ends. Which it does end is the SoundFont's
  /// affair, but most do as they are told.
  private mutating func choke(_ key: UInt8, _ channel: Int, at frame: Int64) {
    guard channel == 9 else { return }
    let group = Self.exclusiveGroup(key)
    guard group > 0 else { return }
    for note in channels[channel].notes where Self.exclusiveGroup(note.key) == group {
      add(2, to: note, at: frame)
    }
    channels[channel].notes.removeAll { Self.exclusiveGroup($0.key) == group }
  }

  /// Lets the channel's notes hear a message, each in its own block.
  private mutating func passOn(_ message: ChannelMessage, to channel: Int, at frame: Int64) {
    channels[channel].forgetEnded(by: frame)
    let bytes =
      UInt64(message.status & 0xF0) << 16 | UInt64(message.data1) << 8 | UInt64(message.data2)
    for note in channels[channel].notes { add(bytes, to: note, at: frame) }
  }

  private mutating func add(_ bytes: UInt64, to note: RecurrenceChannel.Note, at frame: Int64) {
    let block = UInt64((frame - note.start + 63) / 64)
    courses[note.index] = mixed(courses[note.index], block << 32 | bytes)
  }

  /// Drums of one group end each other; 0 is none.
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

/// SplitMix64's finish over two numbers.
func mixed(_ a: UInt64, _ b: UInt64) -> UInt64 {
  var z = a &* 0x9E37_79B9_7F4A_7C15 &+ b
  z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
  z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
  return z ^ (z >> 31)
}
