import FluidSynthEngine

/// Keeps the dry sound of each note of a song in memory.
///
/// Threads: one at a time.
final class NoteArrays: NoteSink {
  /// The interleaved samples of each note, from its onset or from the beginning of the range on.
  private(set) var samples: [Int: [Float]] = [:]
  private var notes: SeparateNotes
  private let range: FrameRange

  init(_ notes: SeparateNotes, _ range: FrameRange) {
    self.notes = notes
    self.range = range
  }

  func add(_ block: NoteBlock) {
    notes.add(block)
    // Moved out of the dictionary, so that it is not copied.
    var note = samples.removeValue(forKey: block.note) ?? []
    _ = notes.append(block, in: range, isFirst: note.isEmpty, to: &note)
    if !note.isEmpty { samples[block.note] = note }
  }

  func endCycle(frames: Int) {}
}
