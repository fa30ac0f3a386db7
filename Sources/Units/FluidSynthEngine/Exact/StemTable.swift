import RenderCore

/// The stem of each note.
///
/// Notes are numbered by their note-ons, in the order in which the instrument receives them. The rest, an
/// additional stem, gets everything that belongs to no stem.
struct StemTable {
  private let stemOfNote: UnsafeMutablePointer<UInt8>
  private let noteCount: Int
  /// The number of stems without the rest, which follows the last stem.
  let count: Int

  init(_ stemOfNote: [UInt8], count: Int, in memory: RenderMemory) {
    noteCount = stemOfNote.count
    self.stemOfNote = memory.makeEach(noteCount) { stemOfNote[$0] }
    self.count = count
  }

  @_noLocks func stem(ofNote note: Int) -> Int32 {
    note < noteCount ? Int32(stemOfNote[note]) : Int32(count)
  }
}
