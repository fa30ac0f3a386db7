import RenderCore

/// What each source holds with each sound, and must be released when the source is gone. It is found by numbers, because
/// hashing would take most of the time of a message.
struct HeldTable {
  /// By the numbers of the source and of the sound. Empty for a source that has not played.
  private var entries = [[Entry?]](repeating: [], count: 64)

  /// An object, because its value is too large to be moved for each message. Without checks for exclusive access, which
  /// take longer than a change; the table makes them.
  private final class Entry {
    @exclusivity(unchecked) var held = HeldNotes()
  }

  /// `nil`: nothing has been played, or it has been removed.
  subscript(holder: LiveInput.Holder) -> HeldNotes? {
    let sounds = entries[Int(holder.source.number)]
    return sounds.isEmpty ? nil : sounds[Int(holder.sound)]?.held
  }

  mutating func set(_ held: HeldNotes, of holder: LiveInput.Holder) { entry(holder).held = held }

  mutating func remove(_ holder: LiveInput.Holder) {
    let source = Int(holder.source.number)
    if !entries[source].isEmpty { entries[source][Int(holder.sound)] = nil }
  }

  mutating func removeAll() { self = HeldTable() }

  mutating func follow(_ message: ChannelMessage, of holder: LiveInput.Holder) {
    entry(holder).held.follow(message)
  }

  mutating func follow(sysEx bytes: [UInt8], of holder: LiveInput.Holder) {
    let entry = entry(holder)
    bytes.withUnsafeBufferPointer { entry.held.follow(sysEx: $0) }
  }

  private mutating func entry(_ holder: LiveInput.Holder) -> Entry {
    let (source, sound) = (Int(holder.source.number), Int(holder.sound))
    if entries[source].isEmpty { entries[source] = [Entry?](repeating: nil, count: 256) }
    if let entry = entries[source][sound] { return entry }
    let entry = Entry()
    entries[source][sound] = entry
    return entry
  }

  /// The sources that have played.
  var sources: [LiveInput.Source] {
    entries.indices.filter { !entries[$0].isEmpty }.map { LiveInput.Source(UInt8($0)) }
  }

  /// Returns what a source holds with each sound that it has played.
  func holders(of source: LiveInput.Source) -> [LiveInput.Holder] {
    let sounds = entries[Int(source.number)]
    return sounds.indices.filter { sounds[$0] != nil }.map {
      LiveInput.Holder(source: source, sound: UInt8($0))
    }
  }
}
