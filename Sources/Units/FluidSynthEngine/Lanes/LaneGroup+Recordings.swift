import CFluidSynthOverrides
import CRender

// Recording of notes, and playback of recordings instead of a lane's synth.
extension LaneGroup {
  /// Applies the commands of a lane that are due. A lane that plays a recording continues it if the
  /// recording has the same commands; a lane that is being recorded appends them to its recording.
  @_noLocks func applyDueCommands(_ lane: UnsafeMutablePointer<Lane>, tunings: Tunings) {
    if let cache, lane.pointee.head.isPlaying {
      if commandsMatchRecording(lane, cache) { return }
      leaveRecording(lane, cache, tunings: tunings)
    } else if let cache, lane.pointee.head.isRecording {
      var i = 0
      while i < lane.pointee.commandCount, lane.pointee.commands[i].frame <= lane.pointee.next,
        lane.pointee.head.isRecording
      {
        cache.pointee.append(lane.pointee.commands[i].action, at: &lane.pointee.head)
        i += 1
      }
    }
    lane.pointee.applyDueCommands(tunings: tunings, voiceList: voiceList)
  }

  /// Records blocks that the lane has just rendered into the scratch channels.
  @_noLocks func record(_ blocks: Int, of lane: UnsafeMutablePointer<Lane>) {
    guard let cache else { return }
    for block in 0..<blocks where lane.pointee.head.isRecording {
      cache.pointee.append(
        scratch + block * Lane.blockFrames, stride: Self.blocksAtOnce * Lane.blockFrames,
        channels: sendCount == 0 ? 2 : 4, voices: lane.pointee.voices, at: &lane.pointee.head)
    }
  }

  /// Plays a lane's recording until the next block begins at or after `end`, or until the note differs from
  /// the recording.
  @_noLocks func play(
    _ lane: UnsafeMutablePointer<Lane>, from origin: Int64, until end: Int64, tunings: Tunings
  ) {
    guard let cache else { return }
    while lane.pointee.isSounding, lane.pointee.next < end {
      applyDueCommands(lane, tunings: tunings)
      guard lane.pointee.head.isPlaying else { return }
      var limit = end
      if lane.pointee.commandCount > 0 { limit = min(limit, lane.pointee.commands[0].frame) }
      let blocks = Int(limit - lane.pointee.next + 63) / 64
      guard playBlocks(blocks, of: lane, cache, origin: origin) else {
        leaveRecording(lane, cache, tunings: tunings)
        return
      }
    }
  }

  /// Removes the due commands of the lane that the recording has at the same position.
  ///
  /// - Returns: Whether no due command is left.
  @_noLocks private func commandsMatchRecording(
    _ lane: UnsafeMutablePointer<Lane>, _ cache: UnsafeMutablePointer<NoteCache>
  ) -> Bool {
    var done = 0
    while done < lane.pointee.commandCount,
      lane.pointee.commands[done].frame <= lane.pointee.next
    {
      let record = cache.pointee.record(at: &lane.pointee.head)
      guard record.kind == .command,
        record.command == lane.pointee.commands[done].action.code
      else { break }
      lane.pointee.head.offset += Int(record.size)
      done += 1
    }
    lane.pointee.removeCommands(done)
    return lane.pointee.commandCount == 0
      || lane.pointee.commands[0].frame > lane.pointee.next
  }

  /// Prefetches the first bytes that a lane will play, if it plays a recording.
  @_noLocks func prefetchRecording(of lane: UnsafeMutablePointer<Lane>) {
    guard let cache, lane.pointee.head.isPlaying else { return }
    prefetch(cache.pointee.address(of: lane.pointee.head), Self.prefetchedBytes)
  }

  /// How far to prefetch: a few blocks, because a block is played faster than memory responds.
  private static var prefetchedBytes: Int { @_noLocks get { 1536 } }

  /// - Returns: Whether the recording continued for that number of blocks without a command.
  @_noLocks private func playBlocks(
    _ blocks: Int, of lane: UnsafeMutablePointer<Lane>,
    _ cache: UnsafeMutablePointer<NoteCache>, origin: Int64
  ) -> Bool {
    for block in 1...blocks {
      let record = cache.pointee.record(at: &lane.pointee.head)
      guard record.kind == .block else { return false }
      let address = cache.pointee.address(of: lane.pointee.head)
      prefetch(address + Self.prefetchedBytes, Int(record.size))
      let data = CompressedBlock(address + Record.headerBytes, record.packing)
      let added = data.add(
        to: sums, dry: sums.dryChannel(of: lane.pointee.stem), at: Int(lane.pointee.next - origin),
        work: scratch
      ) { samples, side in
        withMasterGain(samples, side: side, of: lane, frames: Lane.blockFrames)
      }
      endMasterGain(of: lane, frames: Lane.blockFrames)
      if data.hasSound { lane.pointee.wasAudible = true }
      lane.pointee.audible.measure(
        added.left, added.right, frames: Lane.blockFrames, from: lane.pointee.next)
      noteSound?.pointee.add(
        lane.pointee.audible.note, at: lane.pointee.next, added.left, added.right,
        frames: Lane.blockFrames)
      lane.pointee.head.offset += Int(record.size)
      lane.pointee.next += Int64(Lane.blockFrames)
      if block == blocks { lane.pointee.level = added.peak }
      guard lane.pointee.isAtCount else { continue }
      lane.pointee.voices = Int32(record.voices)
      if record.voices == 0 {
        lane.pointee.commandCount = 0
        lane.pointee.isSounding = false
        return true
      }
    }
    return true
  }

  /// Leaves a recording: starts the lane's synth as the recorded note was started, applies the same
  /// commands, and renders without output up to the current position.
  @_noLocks private func leaveRecording(
    _ lane: UnsafeMutablePointer<Lane>, _ cache: UnsafeMutablePointer<NoteCache>,
    tunings: Tunings
  ) {
    let recording = cache.pointee.recordings[lane.pointee.head.recording]
    lane.pointee.head.mode = .diverged
    let (reached, voices) = (lane.pointee.head, lane.pointee.voices)
    var head = Playhead(.playing, recording: reached.recording, chunk: recording.firstChunk)
    lane.pointee.update(
      to: cache.pointee.starts[reached.recording], key: recording.key, tunings: tunings,
      tables: lane.pointee.tables)
    lane.pointee.startNote(
      key: recording.key, velocity: recording.velocity, glideFrom: nil, sostenutoHeld: false)
    var blocks = 0
    while true {
      let record = cache.pointee.record(at: &head)
      if head.isAt(reached) { break }
      if record.kind == .command {
        renderUnheard(&blocks, of: lane)
        lane.pointee.apply(
          LaneCommand.Action(code: record.command), tunings: tunings, voiceList: voiceList)
      } else {
        blocks += 1
        if blocks == Self.blocksAtOnce { renderUnheard(&blocks, of: lane) }
      }
      head.offset += Int(record.size)
    }
    renderUnheard(&blocks, of: lane)
    // The last count, which determines the end of the note.
    lane.pointee.voices = voices
  }

  @_noLocks private func renderUnheard(_ blocks: inout Int, of lane: UnsafeMutablePointer<Lane>) {
    guard blocks > 0 else { return }
    lane.pointee.mixPointers?.set(mixBuffers)
    mix_voices(UnsafeMutableRawPointer(lane.pointee.synth), Int32(blocks * Lane.blockFrames))
    blocks = 0
  }
}
