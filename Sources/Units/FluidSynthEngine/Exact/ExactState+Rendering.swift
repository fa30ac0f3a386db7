import CFluidSynth
import RenderCore

extension ExactState {
  /// Renders a cycle, or a part of one.
  ///
  /// - Parameters:
  ///   - begin: The frame of the cycle that the part begins with, which its events' offsets count.
  ///   - left: Gets `cycle.frames` samples.
  ///   - right: The same.
  @_noLocks mutating func render(
    _ cycle: MIDICycle, begin: Int = 0, left: UnsafeMutablePointer<Float>,
    right: UnsafeMutablePointer<Float>
  ) {
    plan(cycle, begin: begin)
    for pool in 0..<poolCount { render(pool: pool, frames: cycle.frames) }
    mix(endCycle(frames: cycle.frames), left: left, right: right)
  }

  /// Follows a cycle's events: wakes a lane per note, and tells sounding ones what concerns them.
  @_noLocks mutating func plan(_ cycle: MIDICycle, begin: Int = 0) {
    precondition(cycle.frames > 0 && cycle.frames <= maximumFrames)
    takeSupplies()
    startWaitingNotes()
    cache?.pointee.beginCycle(frames: cycle.frames)
    for event in cycle.events {
      let frame = now + Int64(min(Int(event.offset) - begin, cycle.frames - 1))
      switch event.content {
      case .channel(let message):
        handle(message, at: frame)
      case .sysEx(let start, let count):
        let bytes = UnsafeBufferPointer(rebasing: cycle.sysEx[Int(start)..<Int(start + count)])
        handleSysEx(bytes, at: frame)
      case .system: break
      }
    }
  }

  /// Renders the lanes of one pool to the end of the cycle. Pools may be rendered side by side.
  @_noLocks func render(pool: Int, frames: Int) {
    let end = now + Int64(frames)
    pools[pool].render(lanes, from: now, until: end, tunings: tunings)
    if pool == Int(overflow.pointee.pool) { bringUpOverflow(to: end) }
    for step in 1..<max(poolCount, 1) {
      let other = pools[(pool + step) % poolCount]
      pools[pool].help(other, lanes, from: now, until: end, tunings: tunings)
    }
  }

  /// Ends the cycle: what the lanes gave is ready to be mixed, and the next cycle may be planned.
  ///
  /// The cycle before must have been mixed.
  @_noLocks mutating func endCycle(frames: Int) -> RenderedCycle {
    for index in 0..<poolCount {
      let pool = pools + index
      let ended = pool.pointee.sums
      pool.pointee.lastSums.begin(after: ended, frames: frames)
      pool.pointee.sums = pool.pointee.lastSums
      pool.pointee.lastSums = ended
    }
    let ended = RenderedCycle(start: now, frames: frames)
    wet?.pointee.endCycle(ended)
    now += Int64(frames)
    retireSilentLanes()
    orderLanes()
    return ended
  }

  /// Adds up what the lanes gave in the cycle that ended last, and runs the effects.
  ///
  /// May go on while the next cycle is planned and rendered: it touches nothing that they touch.
  ///
  /// - Parameter stems: Where the stems go, if at all; see
  ///   ``ExactInstrument/mix(_:left:right:stems:)``.
  @_noLocks func mix(
    _ cycle: RenderedCycle, left: UnsafeMutablePointer<Float>, right: UnsafeMutablePointer<Float>,
    stems: UnsafeMutablePointer<Float>? = nil
  ) {
    let frames = cycle.frames
    let sums = pools[0].lastSums
    for pool in 1..<max(poolCount, 1) { sums.take(pools[pool].lastSums, frames: frames) }
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
      wet?.pointee.process(sums, cycle, left: left, right: right)
    }
    sums.clear(frames: frames)
  }

  /// Renders all lanes up to `frame`, in the middle of a plan: some rule needs to know who sounds.
  @_noLocks mutating func renderAll(until frame: Int64) {
    for pool in 0..<poolCount {
      pools[pool].render(lanes, from: now, until: frame, tunings: tunings)
    }
    retireSilentLanes()
  }

  /// Moves lanes whose note has ended from the sounding ones to the waiting ones.
  @_noLocks mutating func retireSilentLanes() {
    var allVoices = Int(overflow.pointee.voices)
    for poolIndex in 0..<poolCount {
      let pool = pools + poolIndex
      var kept = 0
      var voices = 0
      var playedVoices = 0
      for i in 0..<pool.pointee.soundingCount {
        let index = pool.pointee.sounding[i]
        let lane = lanes + Int(index)
        if lane.pointee.isSounding {
          voices += Int(lane.pointee.voices)
          if lane.pointee.head.isPlaying { playedVoices += Int(lane.pointee.voices) }
          pool.pointee.sounding[kept] = index
          kept += 1
        } else {
          cache?.pointee.release(
            lane.pointee.head, blocks: lane.pointee.blocks, channel: lane.pointee.channel)
          if !lane.pointee.isHeard {
            statistics.silentNotes += 1
            // It was taken from its note before its first block.
            if lane.pointee.isCut { statistics.voicelessNotes += 1 }
          }
          if lane.pointee.isUnusable {
            statistics.unusableLanes += 1
          } else {
            pool.pointee.addWaiting(index)
          }
        }
      }
      pool.pointee.soundingCount = kept
      pool.pointee.voices = voices
      pool.pointee.playedVoices = playedVoices
      allVoices += voices
    }
    statistics.mostVoices = max(statistics.mostVoices, allVoices)
  }

  /// Renders one lane until its next block begins at or after `frame`.
  ///
  /// - Returns: Whether it still sounds.
  @_noLocks func renderUpTo(_ lane: UnsafeMutablePointer<Lane>, to frame: Int64) -> Bool {
    pools[Int(lane.pointee.pool)].renderLane(
      lane, from: now, until: frame, limit: frame, tunings: tunings)
    return lane.pointee.isSounding
  }

  /// Tells a lane that a key goes down or up.
  ///
  /// Where one note goes on as another, the planning thread carries it out itself: FluidSynth then
  /// marks zones of the presets, which all pools share; see ``PresetTables``.
  @_noLocks func tellNote(
    _ lane: UnsafeMutablePointer<Lane>, _ action: LaneCommand.Action, at frame: Int64
  ) {
    guard lane.pointee.hasFurtherNotes else {
      tell(lane, action, at: frame)
      return
    }
    guard renderUpTo(lane, to: frame) else { return }
    tell(lane, action, at: frame)
    pools[Int(lane.pointee.pool)].obey(lane, tunings: tunings)
  }

  /// Gives a sounding lane a command, making room for it first if need be.
  @_noLocks func tell(
    _ lane: UnsafeMutablePointer<Lane>, _ action: LaneCommand.Action, at frame: Int64
  ) {
    if lane.pointee.commandCount == Lane.commandCapacity {
      // All it holds is due by `frame`: once rendered that far, it may obey at once.
      guard renderUpTo(lane, to: frame) else { return }
      pools[Int(lane.pointee.pool)].obey(lane, tunings: tunings)
    }
    lane.pointee.tell(action, at: frame)
  }

  /// Tells every sounding lane of a channel.
  @_noLocks func tellAll(_ channel: UInt8, _ action: LaneCommand.Action, at frame: Int64) {
    forEachLane(of: channel) { lane in tell(lane, action, at: frame) }
  }

  /// Whether any note sounds.
  var isSounding: Bool {
    @_noLocks get {
      for pool in 0..<poolCount where pools[pool].soundingCount > 0 { return true }
      return overflow.pointee.isSounding
    }
  }

  /// Calls `body` with every lane that plays a note of `channel`.
  @_noLocks func forEachLane(of channel: UInt8, _ body: (UnsafeMutablePointer<Lane>) -> Void) {
    forEachLane { lane in
      if lane.pointee.channel == channel { body(lane) }
    }
  }

  /// Calls `body` with every lane that sounds.
  @_noLocks func forEachLane(_ body: (UnsafeMutablePointer<Lane>) -> Void) {
    for pool in 0..<poolCount {
      for i in 0..<pools[pool].soundingCount {
        let lane = lanes + Int(pools[pool].sounding[i])
        if lane.pointee.isSounding { body(lane) }
      }
    }
  }
}
