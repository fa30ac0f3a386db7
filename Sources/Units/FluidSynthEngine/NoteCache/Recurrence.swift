/// Which notes of a song come again: known offline, where the whole future is.
///
/// Notes are numbered by their note-ons, in the order in which the instrument will be given them. Two
/// notes are taken for equal when the same key is struck with the same velocity, in a channel told
/// the same, and is told the same at the same of its own blocks until it is let go. That is a
/// guess, made without a synth: it decides what is kept, and never what is heard.
public struct Recurrence: Sendable {
  /// For each note the number of its kind, or −1 where there is no other of that kind.
  public internal(set) var kinds: [Int32] = []
  /// For each note the next of its kind, or −1 where there is none.
  public internal(set) var next: [Int32] = []
  /// How many kinds there are.
  public internal(set) var kindCount = 0

  /// - Parameter courses: For each note a number that it shares with its equals.
  init(courses: [UInt64]) {
    next = Array(repeating: -1, count: courses.count)
    kinds = next
    var last: [UInt64: Int32] = [:]
    for note in courses.indices.reversed() {
      next[note] = last.updateValue(Int32(note), forKey: courses[note]) ?? -1
    }
    // A kind has the number of the first of its notes to come, among those that come again.
    for note in courses.indices {
      if kinds[note] < 0, next[note] >= 0 {
        kinds[note] = Int32(kindCount)
        kindCount += 1
      }
      if next[note] >= 0 { kinds[Int(next[note])] = kinds[note] }
    }
  }
}
