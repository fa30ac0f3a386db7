/// Which note belongs to which stem.
///
/// Notes are numbered by their note-ons, in the order in which the instrument is given them. The rest is
/// one stem more, for whatever belongs to none.
struct StemTable {
  private let stemOfNote: UnsafeMutablePointer<UInt8>
  private let noteCount: Int
  /// How many stems there are, without the rest, which is the one after the last.
  let count: Int

  /// Realtime: no, it allocates.
  init(_ stemOfNote: [UInt8], count: Int) {
    noteCount = stemOfNote.count
    self.stemOfNote = .allocate(capacity: noteCount)
    self.stemOfNote.initialize(from: stemOfNote, count: noteCount)
    self.count = count
  }

  func destroy() { stemOfNote.deallocate() }

  @_noLocks func stem(ofNote note: Int) -> Int32 {
    note < noteCount ? Int32(stemOfNote[note]) : Int32(count)
  }
}
