// Writing and reading recordings, on the threads that render pools.
extension NoteCache {
  /// Records a command that the lane is about to obey.
  @_noLocks func append(_ action: LaneCommand.Action, at head: inout Playhead) {
    let code = action.code
    guard code != 0, makeRoom(at: &head) else {
      breakOff(&head)
      return
    }
    var record = Record(.command)
    record.command = code
    write(record, at: &head)
  }

  /// Records a block that the lane gave.
  ///
  /// - Parameters:
  ///   - source: The first of `channels`; the others come `stride` samples after each other.
  ///   - voices: As last counted.
  @_noLocks func append(
    _ source: UnsafeMutablePointer<Float>, stride: Int, channels: Int, voices: Int32,
    at head: inout Playhead
  ) {
    guard makeRoom(at: &head) else {
      breakOff(&head)
      return
    }
    let (packing, bytes) = CompressedBlock.pack(
      source, stride: stride, channels: channels, gains: &head.gains,
      to: place(head) + Record.headBytes)
    var record = Record(.block, size: Record.headBytes + bytes)
    record.packing = packing
    record.voices = UInt8(truncatingIfNeeded: voices)
    write(record, at: &head)
  }

  /// Says that a recording reaches to the end of its note.
  @_noLocks func finish(_ head: Playhead) {
    recordings[head.recording].progress = .complete
  }

  /// The record at `head`, which is moved on to the next chunk if need be.
  @_noLocks func record(at head: inout Playhead) -> Record {
    let record = place(head).load(as: Record.self)
    guard record.isTurn else { return record }
    head.chunk = link(after: head.chunk)
    head.offset = 0
    return place(head).load(as: Record.self)
  }

  /// Marks that nothing is recorded from `head` on.
  @_noLocks func end(at head: Playhead) {
    place(head).storeBytes(of: Record(.none), as: Record.self)
  }

  /// - Returns: Whether the recording may go on, and there is memory for a record.
  @_noLocks private func makeRoom(at head: inout Playhead) -> Bool {
    // Planning may have given it up.
    guard recordings[head.recording].isInTheMaking else { return false }
    // Room for the record, and for the head of the one that ends the chunk.
    if head.offset + Record.mostBytes + Record.headBytes <= Self.chunkBytes { return true }
    let chunk = addChunk(to: head.recording, after: head.chunk)
    guard chunk >= 0 else { return false }
    place(head).storeBytes(of: Record(.turn), as: Record.self)
    head.chunk = chunk
    head.offset = 0
    end(at: head)
    return true
  }

  /// Writes a record's head, and goes behind the record.
  @_noLocks private func write(_ record: Record, at head: inout Playhead) {
    place(head).storeBytes(of: record, as: Record.self)
    head.offset += Int(record.size)
    end(at: head)
  }

  @_noLocks private func breakOff(_ head: inout Playhead) {
    recordings[head.recording].progress = .brokenOff
    head.mode = .off
  }
}
