import RenderCore

/// Records when each note of a song begins, is released and ends.
///
/// A note that a monophonic channel returns to is a note of its own, numbered after those that are struck.
///
/// The keys and pedals are followed from the messages, because a lane is silent earlier or later than its key is
/// released. Realtime: yes, except for the initializer; on the planning thread only.
struct NoteLog {
  let notes: UnsafeMutablePointer<LoggedNote>
  /// The number of notes that are struck and recorded.
  let capacity: Int
  /// The number of notes that channels returned to.
  private(set) var returnCount = 0
  /// The note that began last; −1 if it is beyond the capacity.
  private(set) var current: Int32 = -1
  /// For each channel and key, the note whose key is down; −1 if there is none.
  private let down: UnsafeMutablePointer<Int32>
  /// For each note, what holds it, and the next note in its channel's list of notes that pedals hold.
  private let holds: UnsafeMutablePointer<Hold>
  /// For each channel, the first note that a pedal holds; −1 if there is none.
  private let firstHeld: UnsafeMutablePointer<Int32>

  private struct Hold: BitwiseCopyable {
    var pedal: Pedal?
    /// Whether the sostenuto pedal went down while the key was down or the sustain pedal held the note.
    var isSostenuto = false
    var next: Int32 = -1
    /// The note before it that the same stroke of the key began, if a channel returned to the key; −1 if there is none.
    var earlier: Int32 = -1
  }

  enum Pedal: BitwiseCopyable {
    case sustain, sostenuto
  }

  /// - Parameter capacity: The number of notes to record, from the first.
  init(capacity: Int, in memory: RenderMemory) {
    self.capacity = capacity
    // Each note-off returns to at most one note, and each note has one note-off.
    notes = memory.make(2 * capacity, of: LoggedNote())
    holds = memory.make(2 * capacity, of: Hold())
    down = memory.make(16 * 128, of: -1)
    firstHeld = memory.make(16, of: -1)
  }

  /// Begins a note. A note of the same key ends its key.
  @_noLocks mutating func begin(_ number: Int, _ note: LoggedNote, pedals: Pedals) {
    current = number < capacity ? Int32(number) : -1
    let place = down + (Int(note.channel) * 128 + Int(note.key))
    let earlier = place.pointee
    if earlier >= 0 {
      releaseKey(note.channel, note.key, at: note.onset, pedals)
      setEnding(of: earlier, .retriggered)
    }
    guard current >= 0 else { return }
    notes[Int(current)] = note
    place.pointee = current
  }

  /// Begins a note that a monophonic channel returns to, whose key is still down.
  @_noLocks mutating func beginReturn(
    to key: LegatoKeys.Key, _ channel: UInt8, _ preset: PresetNumber, at frame: Int64
  ) {
    current = -1
    guard key.note < capacity, returnCount < capacity else { return }
    current = Int32(capacity + returnCount)
    returnCount += 1
    var note = LoggedNote(
      onset: frame, channel: channel, key: key.key, velocity: key.velocity, preset: preset)
    note.returnOf = Int32(key.note)
    notes[Int(current)] = note
    let place = down + (Int(channel) * 128 + Int(key.key))
    holds[Int(current)].earlier = place.pointee
    place.pointee = current
  }

  /// Makes the note that begins next unknown to the log.
  @_noLocks mutating func beginUnlogged() { current = -1 }

  /// The pedals of a channel that are down.
  struct Pedals: BitwiseCopyable {
    var sustain: Bool
    var sostenuto: Bool

    @_noLocks init(sustain: Bool, sostenuto: Bool) {
      self.sustain = sustain
      self.sostenuto = sostenuto
    }
  }

  @_noLocks func releaseKey(_ channel: UInt8, _ key: UInt8, at frame: Int64, _ pedals: Pedals) {
    let place = down + (Int(channel) * 128 + Int(key))
    let note = Int(place.pointee)
    guard note >= 0 else { return }
    place.pointee = -1
    var struck = note
    while struck >= 0 {
      notes[struck].keyRelease = frame
      struck = Int(holds[struck].earlier)
    }
    if notes[note].soundRelease >= 0 { return }
    if pedals.sostenuto, holds[note].isSostenuto {
      holds[note].pedal = .sostenuto
    } else if pedals.sustain {
      holds[note].pedal = .sustain
    } else {
      notes[note].soundRelease = frame
      return
    }
    holds[note].next = firstHeld[Int(channel)]
    firstHeld[Int(channel)] = Int32(note)
  }

  /// Marks the notes that the sostenuto pedal holds from now on.
  @_noLocks func pressSostenuto(_ channel: UInt8) {
    for key in 0..<128 {
      let note = Int(down[Int(channel) * 128 + key])
      if note >= 0 { holds[note].isSostenuto = true }
    }
    forEachHeld(channel) { note in holds[note].isSostenuto = true }
  }

  /// Calls `body` with each note that a pedal alone holds.
  @_noLocks private func forEachHeld(_ channel: UInt8, _ body: (Int) -> Void) {
    var next = firstHeld[Int(channel)]
    while next >= 0 {
      let note = Int(next)
      next = holds[note].next
      body(note)
    }
  }

  /// Makes the sostenuto pedal hold the current note, which replaces one that it holds.
  @_noLocks func inheritSostenuto() {
    if current >= 0 { holds[Int(current)].isSostenuto = true }
  }

  /// Makes the sostenuto pedal hold a note that the sustain pedal has held, because its key is struck again.
  @_noLocks func keepSostenuto(_ note: Int32) {
    if note >= 0 { holds[Int(note)].pedal = .sostenuto }
  }

  /// Ends the notes that a pedal alone has held.
  @_noLocks func lift(_ pedal: Pedal, _ channel: UInt8, at frame: Int64) {
    var kept: Int32 = -1
    var next = firstHeld[Int(channel)]
    while next >= 0 {
      let note = Int(next)
      next = holds[note].next
      if holds[note].pedal == pedal {
        if notes[note].soundRelease < 0 { notes[note].soundRelease = frame }
      } else {
        holds[note].next = kept
        kept = Int32(note)
      }
    }
    firstHeld[Int(channel)] = kept
    guard pedal == .sostenuto else { return }
    for key in 0..<128 {
      let note = Int(down[Int(channel) * 128 + key])
      if note >= 0 { holds[note].isSostenuto = false }
    }
  }

  /// Releases all keys of a channel. As in FluidSynth, the sostenuto pedal then also holds the notes that it found held
  /// by the sustain pedal.
  @_noLocks func releaseAll(_ channel: UInt8, at frame: Int64, _ pedals: Pedals) {
    forEachHeld(channel) { note in
      if pedals.sostenuto, holds[note].isSostenuto { holds[note].pedal = .sostenuto }
    }
    for key in 0..<UInt8(128) {
      let note = down[Int(channel) * 128 + Int(key)]
      if note < 0 { continue }
      releaseKey(channel, key, at: frame, pedals)
      setEnding(of: note, .silenced)
    }
  }

  /// Ends all notes of a channel, whatever holds them.
  @_noLocks func silence(_ channel: UInt8, at frame: Int64) {
    releaseAll(channel, at: frame, Pedals(sustain: false, sostenuto: false))
    lift(.sustain, channel, at: frame)
    lift(.sostenuto, channel, at: frame)
  }

  /// Ends a sounding note by a message that ends all sound, even if it has been released.
  @_noLocks func cut(_ note: Int32) {
    guard note >= 0 else { return }
    switch notes[Int(note)].ending {
    case .released, .retriggered:
      notes[Int(note)].ending = .silenced
      notes[Int(note)].endedBy = -1
    default: return
    }
  }

  /// Ends a note because of the current one.
  @_noLocks func end(_ note: Int32, _ ending: LoggedNote.Ending, at frame: Int64) {
    guard note >= 0 else { return }
    if notes[Int(note)].soundRelease < 0 { notes[Int(note)].soundRelease = frame }
    switch notes[Int(note)].ending {
    case .continued, .choked, .stolen: return
    // A note that fades after its release can still be choked or stolen.
    case .released, .retriggered, .silenced, .unmapped, .shared:
      notes[Int(note)].ending = ending
      notes[Int(note)].endedBy = current
    }
  }

  /// Sets how the current note ended before it sounded.
  @_noLocks func endCurrent(_ ending: LoggedNote.Ending) {
    if current >= 0 { notes[Int(current)].ending = ending }
  }

  @_noLocks private func setEnding(of note: Int32, _ ending: LoggedNote.Ending) {
    guard case .released = notes[Int(note)].ending else { return }
    notes[Int(note)].ending = ending
    if case .retriggered = ending { notes[Int(note)].endedBy = current }
  }

  /// Takes over what was measured of a lane's note.
  @_noLocks func close(_ lane: borrowing Lane) {
    let audible = lane.audible
    guard audible.note >= 0 else { return }
    notes[Int(audible.note)].firstAudible = audible.first
    notes[Int(audible.note)].lastAudible = audible.last
  }
}
