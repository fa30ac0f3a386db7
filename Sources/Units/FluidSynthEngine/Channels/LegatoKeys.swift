/// The keys of a channel that decide which notes are legato, to which key a monophonic channel returns, and from which
/// key a note glides.
///
/// It follows FluidSynth's list of notes, with one exception: when all notes end, the keys are up. On a polyphonic
/// channel the list holds the last key only.
struct LegatoKeys: BitwiseCopyable {
  struct Key: BitwiseCopyable {
    var key: UInt8
    var velocity: UInt8
    /// The number of the note in the song.
    var note: Int

    @_noLocks init(_ key: UInt8, velocity: UInt8, note: Int) {
      (self.key, self.velocity, self.note) = (key, velocity, note)
    }
  }

  /// The meaning of the release of a key of a monophonic channel.
  enum Release: BitwiseCopyable {
    /// The key was the last.
    case end
    /// The note of another key sounds on.
    case nothing
    /// The key sounded, and the note returns to a key that is still down.
    case back(to: Key)
  }

  private var keys = InlineArray<10, Key>(repeating: Key(0, velocity: 0, note: 0))
  private(set) var count = 0
  /// The key before the last one; `nil` if no note may glide from it.
  private(set) var previous: UInt8?
  /// Whether the last note began while another key was down.
  private(set) var isLegato = false

  private static var capacity: Int { @_noLocks get { 10 } }

  @_noLocks init() {}

  /// The keys that are down, the last at the end.
  @_noLocks subscript(index: Int) -> Key { keys[index] }

  @_noLocks func contains(_ key: UInt8) -> Bool { index(of: key) != nil }

  /// Adds a key that is struck.
  @_noLocks mutating func strike(_ key: Key, isMono: Bool) {
    isLegato = count > 0
    if count > 0 { previous = keys[count - 1].key }
    if !isMono { count = 0 }
    if count == Self.capacity { remove(at: 0) }
    keys[count] = key
    count += 1
  }

  /// Removes a key of a monophonic channel that is released.
  @_noLocks mutating func releaseMono(_ key: UInt8, isPortamento: Bool) -> Release {
    guard let index = index(of: key) else {
      endGlide(isPortamento)
      return .end
    }
    let isLast = index == count - 1
    if isLast { previous = key }
    remove(at: index)
    isLegato = count > 0
    endGlide(isPortamento)
    if count == 0 { return .end }
    return isLast ? .back(to: keys[count - 1]) : .nothing
  }

  /// Removes a key of a polyphonic channel that is released.
  @_noLocks mutating func releasePoly(_ key: UInt8, isPortamento: Bool) {
    if count > 0, keys[count - 1].key == key { removeAll() }
    endGlide(isPortamento)
  }

  /// After the end of all notes.
  @_noLocks mutating func releaseAll(isPortamento: Bool) {
    if count > 0 { removeAll() }
    endGlide(isPortamento)
  }

  /// After the legato pedal of a polyphonic channel was lifted: only the last key matters.
  @_noLocks mutating func keepLast() {
    guard count > 0 else { return }
    keys[0] = keys[count - 1]
    count = 1
  }

  /// After a release or a message of the portamento pedal: a detached note glides from a released key only if the pedal
  /// has stayed down.
  @_noLocks mutating func endGlide(_ isPortamento: Bool) {
    if !isLegato, !isPortamento { previous = nil }
  }

  @_noLocks private mutating func removeAll() {
    previous = keys[count - 1].key
    count = 0
    isLegato = false
  }

  @_noLocks private func index(of key: UInt8) -> Int? {
    for index in 0..<count where keys[index].key == key { return index }
    return nil
  }

  @_noLocks private mutating func remove(at index: Int) {
    for i in index + 1..<max(count, index + 1) { keys[i - 1] = keys[i] }
    count -= 1
  }
}
