import FluidSynthEngine
package import MIDIFile
import RenderCore

/// Assigns the notes of a song to stems. Channels and tracks without notes have no stem.
package struct StemPlan {
  /// The stems in the order of their numbers.
  package private(set) var stems: [Stem] = []
  /// For each note-on of the song, in order, the index of its stem.
  private(set) var stemOfNote: [UInt8] = []
  /// The notes, if each is apart from the others.
  private(set) var separateNotes: SeparateNotes?

  package struct Stem: Equatable {
    /// The number of the channel or track, from 1; 0 for a stem that is neither.
    package var number: Int
    /// The channel, counted through all ports; `nil` for another stem.
    package var place: Int?
    /// Whether the song has several ports, so that its channels need their numbers.
    var namesPort = false
    /// The name from the song; `nil` if it has none.
    var title: String?
    /// The preset of its first note, if the stem is named after it.
    var preset: PresetSelection?
    /// The name if there is no other.
    var fallbackName: String
  }

  /// - Parameter end: The frame at which the song ends: later notes are not played.
  /// - Throws: ``RenderError/tooManyStems(_:)``, ``RenderError/tooManyNotes(_:)``.
  package init(_ timeline: Timeline, end: Int, by grouping: StemGrouping) throws(RenderError) {
    var notes = NoteCensus(ports: timeline.ports.count)
    for event in timeline.events where timeline.playsNotes(at: event.frame, until: end) {
      if case .channel(let message) = event.message {
        notes.follow(message, event)
      }
    }
    /// Throws if there are more stems than supported.
    func check(_ keys: [Int]) throws(RenderError) {
      guard keys.count <= ExactInstrument.maximumStems else {
        throw .tooManyStems(keys.count, grouping)
      }
    }
    let keys: [Int]
    switch grouping {
    case .channel:
      keys = notes.presets.indices.filter { notes.presets[$0] != nil }
      try check(keys)
      stems = keys.map { key in
        let namesPort = timeline.ports.count > 1
        let channel = "hannel \(key % 16 + 1)"
        return Stem(
          number: key % 16 + 1, place: key, namesPort: namesPort,
          title: notes.trackOf(key).flatMap(timeline.title), preset: notes.presets[key],
          fallbackName: namesPort ? "Port \(key / 16 + 1) c\(channel)" : "C\(channel)")
      }
      let indices = Dictionary(uniqueKeysWithValues: zip(keys, keys.indices))
      stemOfNote = notes.list.map { UInt8(indices[$0.place] ?? 0) }
    case .track:
      keys = Set(notes.list.map(\.track)).sorted()
      try check(keys)
      stems = keys.map { track in
        Stem(
          number: track + 1, title: timeline.title(ofTrack: track),
          fallbackName: "Track \(track + 1)")
      }
      let indices = Dictionary(uniqueKeysWithValues: zip(keys, keys.indices))
      stemOfNote = notes.list.map { UInt8(indices[$0.track] ?? 0) }
    case .note:
      let count = notes.list.count
      guard count <= SeparateNotes.maximumCount else { throw .tooManyNotes(count) }
      if count > 0 { stems = [Stem(number: 0, fallbackName: "dry")] }
      stemOfNote = notes.list.map { _ in 0 }
      separateNotes = SeparateNotes(
        notes.list.map { ($0.port, $0.channel, $0.key, $0.onset) },
        namesPorts: timeline.ports.count > 1)
    }
  }
}

/// The notes of a song with their channels, tracks and presets.
private struct NoteCensus {
  struct Note {
    let port: Int
    let channel: Int
    let track: Int
    let key: Int
    let onset: Int

    /// The channel, counted through all ports.
    var place: Int { port * 16 + channel }
  }

  /// The notes in order.
  var list: [Note] = []
  /// For each channel of each port, the preset of its first note.
  var presets: [PresetSelection?]
  private var banks: [Int]
  private var programs: [Int]

  init(ports: Int) {
    presets = Array(repeating: nil, count: 16 * ports)
    banks = Array(repeating: 0, count: 16 * ports)
    programs = banks
  }

  mutating func follow(_ message: ChannelMessage, _ event: Timeline.Event) {
    let note = Note(
      port: Int(event.port), channel: Int(message.channel), track: Int(event.track),
      key: Int(message.data1), onset: Int(event.frame))
    let place = note.place
    switch message.kind {
    case .noteOn where message.data2 > 0:
      list.append(note)
      guard presets[place] == nil else { return }
      let bank = note.channel == 9 ? 128 : banks[place]
      presets[place] = PresetSelection(bank: bank, program: programs[place])
    case .controlChange where message.data1 == 0: banks[place] = Int(message.data2)
    case .programChange: programs[place] = Int(message.data1)
    default: break
    }
  }

  /// Returns the track with most of a channel's notes; `nil` if it also contains other channels, because its name would
  /// then apply to all of them.
  func trackOf(_ place: Int) -> Int? {
    var counts: [Int: Int] = [:]
    for note in list where note.place == place { counts[note.track, default: 0] += 1 }
    guard let most = counts.max(by: { ($0.value, $1.key) < ($1.value, $0.key) })?.key else {
      return nil
    }
    return list.contains { $0.track == most && $0.place != place } ? nil : most
  }
}

extension Timeline {
  /// Returns the name of a track, or the instrument name in it.
  fileprivate func title(ofTrack track: Int) -> String? {
    if let name = tracks[track].name, !name.allSatisfy(\.isWhitespace) { return name }
    return texts.first { $0.kind == .instrumentName && $0.track == Int32(track) }?.text
  }
}
