/// The recurring notes of a song. It is known offline only, where the whole timeline is available.
///
/// Notes are numbered by their note-ons, in the order in which the instrument receives them. Two notes are of the same
/// kind if they have the same key and velocity, start on a channel that has received the same values, and receive the
/// same messages at the same of their own blocks until they are released. This is a prediction, made without a synth:
/// it decides which notes are recorded and never changes the output.
public struct Recurrence: Sendable {
  /// The number of each note's kind; −1 if no other note is of that kind.
  public internal(set) var kinds: [Int32] = []
  /// The next note of the same kind, for each note; −1 if there is none.
  public internal(set) var next: [Int32] = []
  /// The number of kinds.
  public internal(set) var kindCount = 0

  /// - Parameter fingerprints: One number per note, equal for notes of the same kind.
  init(fingerprints: [UInt64]) {
    next = Array(repeating: -1, count: fingerprints.count)
    kinds = next
    var last: [UInt64: Int32] = [:]
    for note in fingerprints.indices.reversed() {
      next[note] = last.updateValue(Int32(note), forKey: fingerprints[note]) ?? -1
    }
    // Kinds are numbered in the order of their first notes. Notes without another of their kind have none.
    for note in fingerprints.indices {
      if kinds[note] < 0, next[note] >= 0 {
        kinds[note] = Int32(kindCount)
        kindCount += 1
      }
      if next[note] >= 0 { kinds[Int(next[note])] = kinds[note] }
    }
  }
}
