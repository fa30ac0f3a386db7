import FluidSynthEngine

/// Receives the dry sound of each note of a song.
///
/// Threads: one at a time.
protocol NoteSink: AnyObject {
  /// Receives a part of a note. The parts of a note come in their order, without gaps.
  ///
  /// - Parameters:
  ///   - note: The number of the note in the song.
  ///   - port: The index of its port.
  func add(_ block: NoteBlock, ofNote note: Int, port: Int)

  /// Ends a cycle. All sounding notes were rendered to its end.
  func endCycle(frames: Int) throws(RenderError)
}
