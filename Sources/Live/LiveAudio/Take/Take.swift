package import MIDIFile
package import RenderCore

/// The music that keyboards have played, as events with frames.
package struct Take: Equatable, Sendable {
  package struct Event: Equatable, Sendable {
    /// Frames since the beginning of the take.
    package let frame: Int64
    package let content: MIDIContent
  }

  /// The events that a port has played, each note with its end.
  package struct Track: Equatable, Sendable {
    package let port: String
    /// The name of the sound, if zones of the port were played.
    package let sound: String?
    /// The number of the unit that played it last. Units are mixed in the order of their numbers.
    package let unit: UInt32
    /// The level and the place of the sound.
    package let panorama: Panorama
    package let events: [Event]

    /// The name of the port, and of the sound.
    package var name: String { sound.map { "\(port), \($0)" } ?? port }

    /// The number of notes.
    package var notes: Int {
      events.count { event in
        if case .channel(let message) = event.content { message.startsNote } else { false }
      }
    }
  }

  /// Frames per second.
  package let sampleRate: Int
  /// One for each port with notes, and for each sound of its zones, in the order in which they were first played.
  package let tracks: [Track]
  /// The frame of the first note.
  package let firstNote: Int64
  /// Whether the frames are those of one unit from its beginning, or of several that began together, none of the
  /// earlier events are missing, and the units have rendered all cycles. Units that begin at frame 0 and play the take
  /// then render the bits that were heard.
  package let isWhole: Bool
  /// Whether events are missing in the take, because the recorder's FIFO was full.
  package let hasLosses: Bool
}

/// Which part of what was played is wanted as a take.
package struct TakeRequest: Equatable, Sendable {
  /// The port; `nil` for all ports.
  package var port: String?
  /// The events of so many seconds before now; `nil` for all events.
  package var seconds: Double?
  /// Whether the take begins where its unit began to render, if one unit played all of it or all began together, instead
  /// of with the first note. Effects with a modulation, such as reverb and chorus, then sound as they were heard.
  package var keepsSilence: Bool
  /// The only session of a device that is wanted, for a recording; `nil`: all.
  package var session: Int?
  /// The position in the stream of the device at which the take of a session begins.
  package var begin: Int64

  package init(
    port: String? = nil, seconds: Double? = nil, keepsSilence: Bool = false, session: Int? = nil,
    begin: Int64 = 0
  ) {
    self.port = port
    self.seconds = seconds
    self.keepsSilence = keepsSilence
    self.session = session
    self.begin = begin
  }
}

/// How much a ``TakeRecorder`` keeps.
package struct TakeLimits: Equatable, Sendable {
  /// In seconds.
  package var seconds: Double
  package var events: Int
  /// The bytes of all System Exclusive messages.
  package var bytes: Int

  /// - Parameter seconds: The time for which events are kept; 0 to record nothing.
  package init(seconds: Double = 1800, events: Int = 1 << 18, bytes: Int = 1 << 22) {
    self.seconds = seconds
    self.events = events
    self.bytes = bytes
  }

  /// The events that are kept for a recording.
  package static let recording = TakeLimits(seconds: 1e9, events: 1 << 21, bytes: 1 << 26)
}

extension Take {
  /// The take as a file with a track for each port, which has the port's name, and one
  /// for each sound of its zones. Rendered at the take's sample rate, each
  /// event is on its frame.
  package var file: StandardMIDIFile {
    let ticks = FrameTicks(sampleRate: sampleRate)
    let conductor = StandardMIDIFile.Track([.init(tick: 0, .meta(.tempo(ticks.tempo)))])
    let tracks = tracks.map { track in
      var events = [StandardMIDIFile.Event(tick: 0, .meta(.text(track.name, .trackName)))]
      for event in track.events {
        let tick = ticks.tick(of: event.frame)
        switch event.content {
        case .channel(let message): events.append(.init(tick: tick, .channel(message)))
        case .sysEx(let bytes): events.append(.init(tick: tick, .sysEx(bytes.filter { $0 < 0x80 })))
        // Is not kept; see ``TakeRecorder``.
        case .system: break
        }
      }
      return StandardMIDIFile.Track(bridging: events)
    }
    return StandardMIDIFile(
      format: .simultaneous, division: .ticksPerQuarter(ticks.division),
      tracks: [conductor] + tracks)
  }
}
