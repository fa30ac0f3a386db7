import RenderCore

// The dry sound of each note, apart from all others.
extension ExactInstrument {
  /// Keeps the dry sound of each note of a cycle, as it is before it is added to the mix, for
  /// ``forEachNoteBlock(_:)``. Must be called after ``keepLog(notes:)`` and before the first cycle, of which each must
  /// be prepared with ``prepare(frames:notes:)``. Realtime: no.
  public func keepNoteSound() {
    state.pointee.forEachGroup { group in
      guard group.noteSound == nil else { return }
      let sound = memory.make(NoteSound())
      memory.onRelease { sound.pointee.destroy() }
      group.noteSound = sound
    }
  }

  /// Makes room for the sound of a cycle.
  func reserveNoteSound(frames: Int, notes: Int) {
    var lanes = notes
    state.pointee.forEachGroup { lanes += $0.soundingCount }
    // The last block of a note may extend beyond the cycle, and a lane may begin a second note in it.
    let blocks = lanes * (frames / Lane.blockFrames + 3)
    state.pointee.forEachGroup { $0.noteSound?.pointee.reserve(blocks) }
  }

  /// Calls `body` with the sound of the last cycle. The blocks of one note are in their order, and continue those of
  /// the cycle before. The sums of all blocks, in fixed point, are the dry mix of the notes. Realtime: no.
  public func forEachNoteBlock(_ body: (NoteBlock) -> Void) {
    guard let log = state.pointee.log else { return }
    state.pointee.forEachGroup { group in
      guard let sound = group.noteSound?.pointee else { return }
      precondition(!sound.isIncomplete, "the memory for the sound of notes is too small")
      for index in 0..<sound.count { body(sound.block(index, log)) }
    }
  }
}
