import CFluidSynth
import RenderCore

extension ExactState {
  /// Renders a cycle, or a part of one.
  ///
  /// - Parameters:
  ///   - begin: The frame of the whole cycle at which the part begins. Event offsets count from the start
  ///     of the whole cycle.
  ///   - left: Receives `cycle.frames` samples.
  ///   - right: The same for the right channel.
  @_noLocks mutating func render(
    _ cycle: MIDICycle, begin: Int = 0, left: UnsafeMutablePointer<Float>,
    right: UnsafeMutablePointer<Float>
  ) {
    mix(renderLanes(cycle, begin: begin), left: left, right: right)
  }

  /// Renders a cycle, or a part of one, up to the mix.
  @_noLocks mutating func renderLanes(_ cycle: MIDICycle, begin: Int) -> RenderedCycle {
    plan(cycle, begin: begin)
    renderAllLanes(frames: cycle.frames)
    return endCycle(frames: cycle.frames)
  }

  /// Applies the events of a cycle: starts notes in idle lanes, and sends other messages to sounding lanes.
  @_noLocks mutating func plan(_ cycle: MIDICycle, begin: Int = 0) {
    precondition(cycle.frames > 0 && cycle.frames <= maximumFrames)
    adoptSupplies()
    startWaitingNotes()
    cache?.pointee.beginCycle(frames: cycle.frames)
    for event in cycle.events {
      let frame = now + Int64(min(Int(event.offset) - begin, cycle.frames - 1))
      switch event.content {
      case .channel(let message):
        handle(message, at: frame)
      case .sysEx(let start, let count):
        handleSysEx(cycle.sysExBytes(start, count), at: frame)
      case .system: break
      }
    }
  }

  /// Renders the lanes of one group to the end of the cycle. Groups may be rendered in parallel.
  @_noLocks func render(group: Int, frames: Int) {
    let end = now + Int64(frames)
    groups[group].render(lanes, from: now, until: end, tunings: tunings)
    if group == Int(overflow.pointee.group) { renderOverflow(upTo: end) }
    for step in 1..<max(groupCount, 1) {
      let other = groups[(group + step) % groupCount]
      groups[group].renderLanes(stolenFrom: other, lanes, from: now, until: end, tunings: tunings)
    }
  }

  /// Ends the cycle: its sums are ready to be mixed, and the next cycle may be planned.
  ///
  /// The previous cycle must have been mixed.
  @_noLocks mutating func endCycle(frames: Int) -> RenderedCycle {
    for index in 0..<groupCount {
      let group = groups + index
      let ended = group.pointee.sums
      group.pointee.lastSums.begin(after: ended, frames: frames)
      group.pointee.sums = group.pointee.lastSums
      group.pointee.lastSums = ended
    }
    let ended = RenderedCycle(start: now, frames: frames)
    effectsAdapter?.pointee.endCycle(ended)
    masterGain.pointee.endCycle()
    now += Int64(frames)
    retireSilentLanes()
    requestLanes()
    return ended
  }

  /// Sums the lane groups of the last ended cycle and runs the effects.
  ///
  /// May run while the next cycle is planned and rendered, because it shares no data with them.
  ///
  /// - Parameter stems: Receives the stems, or `nil`; see ``ExactInstrument/mix(_:left:right:stems:)``.
  @_noLocks func mix(
    _ cycle: RenderedCycle, left: UnsafeMutablePointer<Float>, right: UnsafeMutablePointer<Float>,
    stems: UnsafeMutablePointer<Float>? = nil
  ) {
    let frames = cycle.frames
    let sums = groups[0].lastSums
    for group in 1..<max(groupCount, 1) { sums.addAndClear(groups[group].lastSums, frames: frames) }
    sums.addStems(frames: frames)
    if let tap {
      for channel in 0..<sums.channelCount {
        let copy = tap + channel * maximumFrames
        for i in 0..<frames { copy[i] = sums.channel(channel)[i] }
      }
    }
    FixedPoint.store(sums.channel(0), in: left, count: frames)
    FixedPoint.store(sums.channel(1), in: right, count: frames)
    if let stems {
      mixStems(sums, cycle, left: left, right: right, to: stems)
    } else {
      effectsAdapter?.pointee.process(sums, cycle, left: left, right: right)
    }
    sums.clear(frames: frames)
  }

  /// Renders all lanes up to `frame` during planning, to find out which notes have ended.
  @_noLocks mutating func renderAll(until frame: Int64) {
    for group in 0..<groupCount {
      groups[group].render(lanes, from: now, until: frame, tunings: tunings)
    }
    retireSilentLanes()
  }

  /// Moves the lanes whose notes have ended from the sounding to the idle ones.
  @_noLocks private mutating func retireSilentLanes() {
    var allVoices = Int(overflow.pointee.voices)
    for groupIndex in 0..<groupCount {
      let group = groups + groupIndex
      var kept = 0
      var voices = 0
      var playedVoices = 0
      for i in 0..<group.pointee.soundingCount {
        let index = group.pointee.sounding[i]
        let lane = lanes + Int(index)
        if lane.pointee.isSounding {
          voices += Int(lane.pointee.voices)
          if lane.pointee.head.isPlaying { playedVoices += Int(lane.pointee.voices) }
          group.pointee.sounding[kept] = index
          kept += 1
        } else {
          log?.close(lane.pointee)
          cache?.pointee.release(
            lane.pointee.head, blocks: lane.pointee.blocks, channel: lane.pointee.channel)
          if !lane.pointee.wasAudible {
            statistics.silentNotes += 1
            // It was stolen before its first block.
            if lane.pointee.isCut { statistics.voicelessNotes += 1 }
          }
          if lane.pointee.isUnusable {
            statistics.unusableLanes += 1
          } else {
            group.pointee.addIdle(index)
          }
        }
      }
      group.pointee.soundingCount = kept
      group.pointee.voices = voices
      group.pointee.playedVoices = playedVoices
      allVoices += voices
    }
    statistics.mostVoices = max(statistics.mostVoices, allVoices)
  }

  /// Renders one lane until its next block begins at or after `frame`.
  ///
  /// - Returns: Whether the lane still sounds.
  @_noLocks func renderUpTo(_ lane: UnsafeMutablePointer<Lane>, to frame: Int64) -> Bool {
    groups[Int(lane.pointee.group)].renderLane(
      lane, from: now, until: frame, limit: frame, tunings: tunings)
    return lane.pointee.isSounding
  }

  /// Enqueues a command for a sounding lane. If the queue is full, the lane is rendered up to `frame` first.
  @_noLocks func send(
    _ action: LaneCommand.Action, to lane: UnsafeMutablePointer<Lane>, at frame: Int64
  ) {
    if lane.pointee.isEnded { return }
    if lane.pointee.commandCount == Lane.commandCapacity {
      // All enqueued commands are due by `frame`, so they can be applied once the lane is rendered up to it.
      guard renderUpTo(lane, to: frame) else { return }
      groups[Int(lane.pointee.group)].applyDueCommands(lane, tunings: tunings)
    }
    lane.pointee.enqueue(action, at: frame)
  }

  /// Enqueues a command for every sounding lane of a channel.
  @_noLocks func send(_ action: LaneCommand.Action, toChannel channel: UInt8, at frame: Int64) {
    forEachLane(of: channel) { lane in send(action, to: lane, at: frame) }
  }

  /// Whether any note sounds.
  var isSounding: Bool {
    @_noLocks get {
      for group in 0..<groupCount where groups[group].soundingCount > 0 { return true }
      return overflow.pointee.isSounding
    }
  }

  /// Calls `body` with every lane that plays a note of `channel`.
  @_noLocks func forEachLane(of channel: UInt8, _ body: (UnsafeMutablePointer<Lane>) -> Void) {
    forEachLane { lane in
      if lane.pointee.channel == channel { body(lane) }
    }
  }

  /// Calls `body` with every sounding lane.
  @_noLocks func forEachLane(_ body: (UnsafeMutablePointer<Lane>) -> Void) {
    for group in 0..<groupCount {
      for i in 0..<groups[group].soundingCount {
        let lane = lanes + Int(groups[group].sounding[i])
        if lane.pointee.isSounding { body(lane) }
      }
    }
  }
}

// Recurring notes: recorded, and played from recordings.
extension ExactState {
  /// Sets the note that the cache refers to: the index of the note being started, in the order of the song.
  @_noLocks func announceNote() {
    cache?.pointee.currentNote = statistics.notes - 1
  }

  /// Makes the note being started, a further one of the same note-on, use no recording.
  @_noLocks mutating func announceFurtherNote() {
    cache?.pointee.currentNote = .max
    log?.beginUnlogged()
  }

  /// Plays the note that begins in a lane from a recording.
  ///
  /// - Returns: `false` if there is no recording of the note.
  @_noLocks func playRecording(in lane: UnsafeMutablePointer<Lane>, velocity: UInt8) -> Bool {
    let channel = channels + Int(lane.pointee.channel)
    guard let cache, let head = cache.pointee.play(lane, velocity: velocity, channel) else {
      return false
    }
    lane.pointee.head = head
    lane.pointee.voices = cache.pointee.recordings[head.recording].voices
    lane.pointee.classes = cache.pointee.recordings[head.recording].classes
    return true
  }

  /// Records the note that a lane's synth has just started, if the note will recur.
  @_noLocks func record(_ lane: UnsafeMutablePointer<Lane>, velocity: UInt8) {
    let channel = channels + Int(lane.pointee.channel)
    guard let cache, lane.pointee.head.isOff,
      let head = cache.pointee.record(lane, velocity: velocity, channel)
    else { return }
    lane.pointee.head = head
  }

  /// Enables the note cache. Must be called before the first cycle. Realtime: no.
  mutating func keepRecordings(
    _ recurrence: Recurrence, in memory: RecordingMemory, isShared: Bool,
    _ renderMemory: RenderMemory
  ) {
    let cache = renderMemory.make(
      NoteCache(recurrence, in: memory, isShared: isShared, renderMemory))
    renderMemory.onRelease { cache.pointee.leaveMemory() }
    self.cache = cache
    for group in 0..<groupCount { groups[group].cache = cache }
  }
}

// The dry sound of notes, separated into stems.
extension ExactState {
  /// The stem of a note that is being started on a channel; −1 without stems.
  @_noLocks func stem(ofNote note: Int, _ channel: UInt8) -> Int32 {
    if separatesChannels { return Int32(channel) }
    return stems?.stem(ofNote: note) ?? -1
  }

  /// Enables stems. Must be called before the first cycle. Realtime: no.
  mutating func keepStems(_ table: StemTable, in memory: RenderMemory) {
    stems = table
    let count = table.count + 1
    let maximumFrames = maximumFrames
    forEachGroup { $0.keepStems(count, maximumFrames: maximumFrames, in: memory) }
    // The control synth plays notes of all channels at once, which cannot be separated.
    overflow.pointee.stem = Int32(table.count)
  }

  /// Writes the stems and the rest, and adds the effects to the mix.
  ///
  /// - Parameters:
  ///   - left: Contains the dry mix.
  ///   - right: The same for the right channel.
  ///   - output: Receives left and right of each stem, `maximumFrames` apart; the rest comes last.
  @_noLocks private func mixStems(
    _ sums: Sums, _ cycle: RenderedCycle, left: UnsafeMutablePointer<Float>,
    right: UnsafeMutablePointer<Float>, to output: UnsafeMutablePointer<Float>
  ) {
    guard let stems else { return }
    let frames = cycle.frames
    for stem in 0..<stems.count {
      for side in 0..<2 {
        sums.store(
          stem: stem, side: side, in: output + (2 * stem + side) * maximumFrames, frames: frames)
      }
    }
    let (wetLeft, wetRight) = (
      output + 2 * stems.count * maximumFrames, output + (2 * stems.count + 1) * maximumFrames
    )
    wetLeft.update(repeating: 0, count: frames)
    wetRight.update(repeating: 0, count: frames)
    effectsAdapter?.pointee.process(sums, cycle, left: wetLeft, right: wetRight)
    for i in 0..<frames {
      left[i] += wetLeft[i]
      right[i] += wetRight[i]
    }
    guard sums.isUsed(stem: stems.count) else { return }
    let rest = sums.channel(ofStem: stems.count)
    add(sums.channel(rest), to: wetLeft, frames)
    add(sums.channel(rest + 1), to: wetRight, frames)
  }

  @_noLocks private func add(
    _ sums: UnsafePointer<Int64>, to output: UnsafeMutablePointer<Float>, _ frames: Int
  ) {
    for i in 0..<frames { output[i] += Float(Double(sums[i]) * (1 / FixedPoint.scale)) }
  }
}

// Rendering of a cycle's lanes on several threads.
extension ExactState {
  /// Renders all lanes to the end of the cycle.
  @_noLocks private func renderAllLanes(frames: Int) {
    if let helpers {
      let laneCount = shareLanes(helpers, frames: frames)
      if laneCount > 0 { return render(laneCount, with: helpers, frames: frames) }
    }
    for group in 0..<groupCount { render(group: group, frames: frames) }
  }

  /// Publishes the lanes that have blocks to render in the cycle, if there is enough work for a helper.
  ///
  /// - Returns: The number of lanes published; 0: none.
  @_noLocks private func shareLanes(
    _ helpers: UnsafeMutablePointer<Helpers>, frames: Int
  ) -> Int {
    let (group, end) = (groups, now + Int64(frames))
    var (count, work) = (0, 0)
    for i in 0..<group.pointee.soundingCount {
      let index = group.pointee.sounding[i]
      let lane = lanes + Int(index)
      // A recording is played after it is recorded, so lanes that use one are rendered in order.
      guard lane.pointee.head.isOff, lane.pointee.next < end else { continue }
      helpers.pointee.share.set(index, at: count)
      count += 1
      work += Int(end - lane.pointee.next + 63) / 64 * Int(lane.pointee.voices)
    }
    let helperCount = min(
      helpers.pointee.count, min(count - 1, work / helpers.pointee.workPerHelper))
    guard helperCount > 0 else { return 0 }
    helpers.pointee.publish(
      count, of: HelpedCycle(tunings: tunings, from: now, until: end), to: helperCount)
    return count
  }

  @_noLocks private func render(
    _ laneCount: Int, with helpers: UnsafeMutablePointer<Helpers>, frames: Int
  ) {
    let end = now + Int64(frames)
    renderOverflow(upTo: end)
    for i in 0..<groups.pointee.soundingCount {
      let lane = lanes + Int(groups.pointee.sounding[i])
      guard !lane.pointee.head.isOff else { continue }
      groups.pointee.renderLane(lane, from: now, until: end, limit: end, tunings: tunings)
    }
    helpers.pointee.finish(laneCount, with: groups)
  }
}
