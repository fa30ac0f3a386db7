import RenderCore

/// The keys and controls of each source, as it has sent them, and the sounds that it has played. It is found by numbers,
/// because hashing would take most of the time of a message.
struct SourceTable {
  /// By the number of the source; `nil` for a source that has not played.
  private var entries = [Entry?](repeating: nil, count: 64)

  /// An object, because its value is too large to be moved for each message. Without checks for exclusive access, which
  /// take longer than a change; the table makes them.
  private final class Entry {
    @exclusivity(unchecked) var state = SourceState()
    @exclusivity(unchecked) var sounds = SoundSet()
    /// The velocities of the held keys, by channel and key.
    @exclusivity(unchecked) var velocities = [UInt8](repeating: 0, count: 16 * 128)
  }

  /// The keys that a source holds, and the controls that it has moved.
  subscript(source: LiveInput.Source) -> SourceState {
    entries[Int(source.number)]?.state ?? SourceState()
  }

  /// The sources that have played.
  var sources: [LiveInput.Source] {
    entries.indices.filter { entries[$0] != nil }.map { LiveInput.Source(UInt8($0)) }
  }

  /// The sounds that a source has played since it began, or was ended on them.
  func sounds(of source: LiveInput.Source) -> [UInt8] {
    guard let sounds = entries[Int(source.number)]?.sounds else { return [] }
    return (UInt8(0)...255).filter { sounds.contains($0) }
  }

  mutating func follow(_ content: MIDIContent, from source: LiveInput.Source) {
    let entry = entry(source)
    switch content {
    case .channel(let message):
      entry.state.follow(message)
      if message.startsNote { entry.velocities[Self.key(message)] = message.data2 }
    case .sysEx(let bytes): bytes.withUnsafeBufferPointer { entry.state.follow(sysEx: $0) }
    case .system: break
    }
  }

  private static func key(_ message: ChannelMessage) -> Int {
    Int(message.channel) * 128 + Int(message.data1)
  }

  /// The messages that put the switches of a source on and strike the keys that it holds, as it has struck them.
  func held(by source: LiveInput.Source) -> [ChannelMessage] {
    guard let entry = entries[Int(source.number)] else { return [] }
    var notes = entry.state.notes
    var (switches, keys): ([ChannelMessage], [ChannelMessage]) = ([], [])
    while let release = notes.popRelease() {
      if release.endsNote {
        keys.append(
          ChannelMessage(
            .noteOn, channel: release.channel, release.data1, entry.velocities[Self.key(release)]))
      } else {
        switches.append(
          ChannelMessage(.controlChange, channel: release.channel, release.data1, 127))
      }
    }
    return switches + keys
  }

  /// Notes that a source has played a sound.
  mutating func add(_ sound: UInt8, of source: LiveInput.Source) {
    _ = entry(source).sounds.insert(sound)
  }

  /// Notes that a source, or each, has been ended on some of the sounds that it has played.
  mutating func removeSounds(of source: LiveInput.Source? = nil, where isEnded: (UInt8) -> Bool) {
    for source in source.map({ [$0] }) ?? sources {
      for sound in sounds(of: source) where isEnded(sound) {
        entries[Int(source.number)]?.sounds.remove(sound)
      }
    }
  }

  /// Forgets what a source holds and has moved.
  mutating func removeState(of source: LiveInput.Source) {
    entries[Int(source.number)]?.state = SourceState()
  }

  /// Forgets the keys and switches of all sources.
  mutating func removeNotes() {
    for case let entry? in entries { entry.state.forgetNotes() }
  }

  private mutating func entry(_ source: LiveInput.Source) -> Entry {
    if let entry = entries[Int(source.number)] { return entry }
    let entry = Entry()
    entries[Int(source.number)] = entry
    return entry
  }
}
