import RenderCore

/// Finds the samples of an instrument's notes. A note whose samples are not in memory waits for them.
///
/// Realtime: yes, except for creation.
struct NoteSamples {
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

  /// `nil` if all samples are in memory.
  private let table: SampleTable?
  private let upcoming: UpcomingNotes?
  private let waiting: UnsafeMutablePointer<Note>
  private var waitingCount = 0
  /// Per channel: the preset whose samples were requested last.
  private var requested = InlineArray<16, PresetNumber>(repeating: .unknown)
  /// The maximum number of waiting notes, more than a player holds down. Further notes are dropped.
  private static var capacity: Int { @_noLocks get { 64 } }

  init(_ soundFont: PlayedSoundFont, in memory: RenderMemory) {
    table = soundFont.tables.samples
    upcoming = soundFont.upcomingNotes
    waiting = memory.reserve(Self.capacity)
  }

  /// Returns whether the samples of a note are in memory. If not, they are requested, and the note waits for them.
  @_noLocks mutating func find(for note: Note) -> Bool {
    guard let table else { return true }
    if isReady(note, table) { return true }
    table.request(note.preset, near: note.key)
    if waitingCount < Self.capacity {
      waiting[waitingCount] = note
      waitingCount += 1
    }
    return false
  }

  /// Returns whether the samples of all notes of a cycle are in memory. If not, they are requested.
  ///
  /// - Parameter engine: It has received all messages before the cycle.
  @_noLocks func areReady(for cycle: MIDICycle, after engine: Engine) -> Bool {
    guard let table, var notes = upcoming?.notes(in: cycle, after: engine) else {
      return true
    }
    var areReady = true
    while let note = notes.next() {
      if isReady(note, table) { continue }
      table.request(note.preset, near: note.key)
      areReady = false
    }
    return areReady
  }

  /// Requests the samples of the preset of a channel, before a note needs them, if it is newly selected.
  @_noLocks mutating func request(_ preset: PresetNumber, for channel: UInt8) {
    guard let table, !(requested[Int(channel)] == preset) else { return }
    requested[Int(channel)] = preset
    table.request(preset, near: 60)
  }

  /// Removes and returns the first waiting note whose samples have been loaded.
  @_noLocks mutating func takeReady() -> Note? {
    guard waitingCount > 0, let table else { return nil }
    for index in 0..<waitingCount where isReady(waiting[index], table) {
      let note = waiting[index]
      waitingCount -= 1
      for i in index..<waitingCount { waiting[i] = waiting[i + 1] }
      return note
    }
    return nil
  }

  @_noLocks private func isReady(_ note: Note, _ table: SampleTable) -> Bool {
    table.hasSamples(of: note.preset, key: note.key, velocity: note.velocity)
  }

  /// Removes the waiting notes of a key, or of all keys of a channel (`nil`), because they were released.
  @_noLocks mutating func release(_ channel: UInt8, key: UInt8?) {
    var kept = 0
    for i in 0..<waitingCount {
      let note = waiting[i]
      if note.channel == channel, key == nil || note.key == key { continue }
      waiting[kept] = note
      kept += 1
    }
    waitingCount = kept
  }

  @_noLocks mutating func releaseAll() { waitingCount = 0 }
}
