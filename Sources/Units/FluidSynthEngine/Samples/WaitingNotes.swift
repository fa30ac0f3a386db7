/// Notes whose samples were not in memory at their note-on. Used on a render thread.
struct WaitingNotes {
  struct Note: BitwiseCopyable {
    var channel: UInt8
    var key: UInt8
    var velocity: UInt8
    /// The preset at the note-on.
    var preset: PresetNumber

    @_noLocks init(channel: UInt8, key: UInt8, velocity: UInt8, preset: PresetNumber) {
      self.channel = channel
      self.key = key
      self.velocity = velocity
      self.preset = preset
    }
  }

  private let notes: UnsafeMutablePointer<Note>
  private(set) var count = 0
  /// The maximum number of notes, more than a player holds down. Further notes are dropped.
  private static var capacity: Int { @_noLocks get { 64 } }

  /// Realtime: no, it allocates.
  init() { notes = .allocate(capacity: Self.capacity) }

  func destroy() { notes.deallocate() }

  @_noLocks mutating func add(_ note: Note) {
    guard count < Self.capacity else { return }
    notes[count] = note
    count += 1
  }

  /// Removes and returns the first note whose samples are in memory.
  @_noLocks mutating func removeFirstReady(in samples: SampleTable) -> Note? {
    for index in 0..<count {
      let note = notes[index]
      guard samples.hasSamples(of: note.preset, key: note.key, velocity: note.velocity) else {
        continue
      }
      count -= 1
      for i in index..<count { notes[i] = notes[i + 1] }
      return note
    }
    return nil
  }

  /// Removes the notes of a key, or of all keys of a channel (`nil`), because they were released.
  @_noLocks mutating func release(_ channel: UInt8, key: UInt8?) {
    var kept = 0
    for i in 0..<count {
      let note = notes[i]
      if note.channel == channel, key == nil || note.key == key { continue }
      notes[kept] = note
      kept += 1
    }
    count = kept
  }

  @_noLocks mutating func releaseAll() { count = 0 }
}
