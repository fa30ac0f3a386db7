import FluidSynthEngine

/// Keeps the dry sound of each note of a song in memory.
///
/// Threads: one at a time.
final class NoteArrays: NoteSink {
  /// The interleaved samples of each note, from its onset or from the beginning of the range on.
  private(set) var samples: [Int: [Float]] = [:]
  private let notes: SeparateNotes
  private let range: FrameRange

  init(_ notes: SeparateNotes, _ range: FrameRange) {
    self.notes = notes
    self.range = range
  }

  func add(_ block: NoteBlock) {
    let first = max(block.frame, range.start)
    let end = min(block.frame + block.left.count, range.limit)
    guard block.note < notes.count, first < end else { return }
    // Moved out of the dictionary, so that it is not copied.
    var note =
      samples.removeValue(forKey: block.note)
      ?? Array(repeating: 0, count: 2 * (first - notes.begin(ofNote: block.note, in: range)))
    for index in first - block.frame..<end - block.frame {
      note.append(block.left[index])
      note.append(block.right[index])
    }
    samples[block.note] = note
  }

  func endCycle(frames: Int) {}
}
