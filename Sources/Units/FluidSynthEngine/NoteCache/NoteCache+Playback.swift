// Writing and reading recordings, on the threads that render lane groups.
extension NoteCache {
  /// Records a command that the lane is about to apply.
  @_noLocks func append(_ action: LaneCommand.Action, at head: inout Playhead) {
    let code = action.code
    guard code != 0, ensureSpace(at: &head) else {
      abandon(&head)
      return
    }
    var record = Record(.command)
    record.command = code
    write(record, at: &head)
  }

  /// Records a block that the lane has rendered.
  ///
  /// - Parameters:
  ///   - source: The first sample of the first channel.
  ///   - stride: The distance between channels, in samples.
  ///   - channels: 2 or 4.
  ///   - voices: The number of voices at the last count.
  ///   - head: The end of the recording; advanced past the block.
  @_noLocks func append(
    _ source: UnsafeMutablePointer<Float>, stride: Int, channels: Int, voices: Int32,
    at head: inout Playhead
  ) {
    guard ensureSpace(at: &head) else {
      abandon(&head)
      return
    }
    let (packing, bytes) = CompressedBlock.pack(
      source, stride: stride, channels: channels, gains: &head.gains,
      to: address(of: head) + Record.headerBytes)
    var record = Record(.block, size: Record.headerBytes + bytes)
    record.packing = packing
    record.voices = UInt8(truncatingIfNeeded: voices)
    write(record, at: &head)
  }

  /// Marks a recording as complete: it reaches the end of its note.
  @_noLocks func finish(_ head: Playhead) {
    recordings[head.recording].progress = .complete
  }

  /// Returns the record at `head`. Advances `head` to the next chunk if the record is there.
  @_noLocks func record(at head: inout Playhead) -> Record {
    let record = address(of: head).load(as: Record.self)
    guard record.kind == .continuation else { return record }
    head.chunk = link(after: head.chunk)
    head.offset = 0
    return address(of: head).load(as: Record.self)
  }

  /// Marks `head` as the end of the recording.
  @_noLocks func end(at head: Playhead) {
    address(of: head).storeBytes(of: Record(.none), as: Record.self)
  }

  /// - Returns: Whether the recording may continue and there is memory for a record.
  @_noLocks private func ensureSpace(at head: inout Playhead) -> Bool {
    // The planning step may have abandoned it.
    guard recordings[head.recording].isInProgress else { return false }
    // Space for the record, and for the header of the record that ends the chunk.
    if head.offset + Record.maximumBytes + Record.headerBytes <= Self.chunkBytes { return true }
    let chunk = addChunk(to: head.recording, after: head.chunk)
    guard chunk >= 0 else { return false }
    address(of: head).storeBytes(of: Record(.continuation), as: Record.self)
    head.chunk = chunk
    head.offset = 0
    end(at: head)
    return true
  }

  /// Writes a record's header and advances `head` past the record.
  @_noLocks private func write(_ record: Record, at head: inout Playhead) {
    address(of: head).storeBytes(of: record, as: Record.self)
    head.offset += Int(record.size)
    end(at: head)
  }

  @_noLocks private func abandon(_ head: inout Playhead) {
    recordings[head.recording].progress = .abandoned
    head.mode = .off
  }
}
