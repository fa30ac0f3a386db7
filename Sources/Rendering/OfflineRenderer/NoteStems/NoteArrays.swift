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

  func add(_ block: NoteBlock, ofNote note: Int, port: Int) {
    notes.add(block, ofNote: note, port: port)
    // Moved out of the dictionary, so that it is not copied.
    var sound = samples.removeValue(forKey: note) ?? []
    _ = notes.append(block, ofNote: note, in: range, isFirst: sound.isEmpty, to: &sound)
    if !sound.isEmpty { samples[note] = sound }
  }

  func endCycle(frames: Int) {}
}
