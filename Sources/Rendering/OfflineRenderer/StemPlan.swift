import FluidSynthEngine
import MIDIFile
import RenderCore

/// Assigns the notes of a song to stems. Channels and tracks without notes have no stem.
struct StemPlan {
  /// The stems in the order of their numbers.
  private(set) var stems: [Stem] = []
  /// For each note-on of the song, in order, the index of its stem.
  private(set) var stemOfNote: [UInt8] = []
  /// The notes, if each is apart from the others.
  private(set) var separateNotes: SeparateNotes?

  struct Stem: Equatable {
    /// The number of the channel or track, from 1; 0 for a stem that is neither.
    var number: Int
    /// The name from the song; `nil` if it has none.
    var title: String?
    /// The preset of its first note, if the stem is named after it.
    var preset: PresetSelection?
    /// The name if there is no other.
    var fallbackName: String
  }

  /// - Parameter end: The frame at which the song ends: later notes are not played.
  /// - Throws: ``RenderError/tooManyStems(_:)``, ``RenderError/tooManyNotes(_:)``.
  init(_ timeline: Timeline, end: Int, by grouping: StemGrouping) throws(RenderError) {
    var notes = NoteCensus()
    for event in timeline.events where timeline.playsNotes(at: event.frame, until: end) {
      if case .channel(let message) = event.message {
        notes.follow(message, track: Int(event.track), at: Int(event.frame))
      }
    }
    let keys: [Int]
    switch grouping {
    case .channel:
      keys = (0..<16).filter { notes.presets[$0] != nil }
      stems = keys.map { channel in
        Stem(
          number: channel + 1, title: notes.trackOf(channel).flatMap(timeline.title),
          preset: notes.presets[channel], fallbackName: "Channel \(channel + 1)")
      }
      stemOfNote = notes.list.map { UInt8(keys.firstIndex(of: $0.channel) ?? 0) }
    case .track:
      keys = Set(notes.list.map(\.track)).sorted()
      guard keys.count <= ExactInstrument.maximumStems else { throw .tooManyStems(keys.count) }
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
      separateNotes = SeparateNotes(notes.list.map { ($0.channel, $0.key, $0.onset) })
    }
  }
}

/// The notes of a song with their channels, tracks and presets.
private struct NoteCensus {
  /// The channel and track of each note, in order.
  var list: [(channel: Int, track: Int, key: Int, onset: Int)] = []
  /// For each channel, the preset of its first note.
  var presets = [PresetSelection?](repeating: nil, count: 16)
  private var banks = [Int](repeating: 0, count: 16)
  private var programs = [Int](repeating: 0, count: 16)

  mutating func follow(_ message: ChannelMessage, track: Int, at frame: Int) {
    let channel = Int(message.channel)
    switch message.kind {
    case .noteOn where message.data2 > 0:
      list.append((channel, track, Int(message.data1), frame))
      guard presets[channel] == nil else { return }
      let bank = channel == 9 ? 128 : banks[channel]
      presets[channel] = PresetSelection(bank: bank, program: programs[channel])
    case .controlChange where message.data1 == 0: banks[channel] = Int(message.data2)
    case .programChange: programs[channel] = Int(message.data1)
    default: break
    }
  }

  /// Returns the track with most of a channel's notes; `nil` if it also contains other channels, because its name would
  /// then apply to all of them.
  func trackOf(_ channel: Int) -> Int? {
    var counts: [Int: Int] = [:]
    for note in list where note.channel == channel { counts[note.track, default: 0] += 1 }
    guard let most = counts.max(by: { ($0.value, $1.key) < ($1.value, $0.key) })?.key else {
      return nil
    }
    return list.contains { $0.track == most && $0.channel != channel } ? nil : most
  }
}

extension Timeline {
  /// Returns the name of a track, or the instrument name in it.
  fileprivate func title(ofTrack track: Int) -> String? {
    if let name = tracks[track].name, !name.allSatisfy(\.isWhitespace) { return name }
    return texts.first { $0.kind == .instrumentName && $0.track == Int32(track) }?.text
  }
}
