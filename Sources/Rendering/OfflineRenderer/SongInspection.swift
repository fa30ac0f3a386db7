package import FluidSynthEngine
package import MIDIFile
import RenderCore

/// What a song asks for, found without playing it.
///
/// Realtime: no.
package struct SongInspection: Sendable {
  package let timeline: Timeline
  package let format: StandardMIDIFile.Format
  package let division: Division
  /// The number of bars; `nil` if ticks are fractions of time code.
  package let bars: Int?
  package let loop: SongReport.Loop?
  /// The channels with notes, by port and channel.
  package private(set) var parts: [Part] = []
  /// The greatest number of keys that are down at the same time.
  package private(set) var mostKeys = 0
  /// Messages without effect.
  package let ignored: [IgnoredMessages]
  /// The repairs of the file and of the order in its ticks, and the number of those beyond.
  package let repairs: [Repair]
  package let unlistedRepairs: Int

  /// A channel with notes.
  package struct Part: Equatable, Sendable {
    package let port: Int
    package let channel: UInt8
    package internal(set) var sounds: [Sound] = []
    package internal(set) var keys: ClosedRange<UInt8>
    package var notes: Int { sounds.reduce(0) { $0 + $1.notes } }
  }

  /// A preset that notes ask for, and their number.
  package struct Sound: Equatable, Sendable {
    package let preset: PartFollower.Sound
    package internal(set) var notes = 0
  }

  /// - Parameters:
  ///   - style: How the instrument chooses presets.
  ///   - soundFont: Responds to controllers; `nil`: those of FluidSynth only.
  /// - Throws: ``RenderError`` if the song cannot be played.
  package init(
    _ song: StandardMIDIFile, _ style: BankStyle, _ soundFont: SoundFont?
  ) throws(RenderError) {
    let range = try FrameRange(song, RenderSettings())
    timeline = range.timeline
    (format, division) = (song.format, song.division)
    let map = timeline.beatMap
    bars = map.isNominal ? nil : Int(map.bar(at: max(0, timeline.endFrame - 1)).number)
    loop = range.loop
    ignored = IgnoredMessageFinder.messages(range, soundFont?.modulatorSources)
    var report = SongReport()
    report.describe(song, range)
    (repairs, unlistedRepairs) = (report.repairs, report.unlistedRepairs)
    follow(style)
  }

  private mutating func follow(_ style: BankStyle) {
    let followers = timeline.ports.map { _ in PartFollower(style) }
    var held = timeline.ports.map { _ in HeldNotes() }
    var parts: [Int: Part] = [:]
    for event in timeline.events {
      let port = Int(event.port)
      switch event.message {
      case .sysEx(let range):
        timeline.bytes(of: range).withUnsafeBufferPointer {
          _ = followers[port].follow(sysEx: $0)
          held[port].follow(sysEx: $0)
        }
      case .channel(let message):
        held[port].follow(message)
        followers[port].follow(message)
        guard message.startsNote else { continue }
        let index = port * 16 + Int(message.channel)
        let new = Part(
          port: port, channel: message.channel, keys: message.data1...message.data1)
        parts[index, default: new].add(
          message, followers[port].sound(of: message.channel))
        mostKeys = max(mostKeys, held.reduce(0) { $0 + $1.count })
      }
    }
    self.parts = parts.sorted { $0.key < $1.key }.map(\.value)
  }
}

extension SongInspection.Part {
  fileprivate mutating func add(_ message: ChannelMessage, _ preset: PartFollower.Sound) {
    keys = min(keys.lowerBound, message.data1)...max(keys.upperBound, message.data1)
    let index =
      sounds.firstIndex { $0.preset == preset }
      ?? {
        sounds.append(SongInspection.Sound(preset: preset))
        return sounds.count - 1
      }()
    sounds[index].notes += 1
  }
}
