import CFluidSynth
import CFluidSynthOverrides
import CRender

/// The lanes that one thread renders, and what they need to themselves for it.
///
/// Pools share nothing but the SoundFont, so each may be rendered by a thread of its own. What they
/// render adds up to the same bits however the notes were dealt among them.
struct LaneGroup {
  let index: Int32
  /// Whether lanes are scrubbed after a note; see ``Footing``.
  var scrubs = true
  /// Where `fluid_synth_get_voicelist` writes.
  let voiceList: UnsafeMutablePointer<OpaquePointer?>

  /// The lanes that sound, by index into the engine's table.
  let sounding: UnsafeMutablePointer<Int32>
  var soundingCount = 0
  /// The sounding lanes that the threads of other pools may render.
  let share: LaneShare
  /// Whether there are such threads.
  let isHelped: Bool
  /// Voices of its lanes, as of the end of the last cycle and with the notes that began since.
  var voices = 0
  /// Those of them that recordings play, in lanes that take about an eighth of the work.
  var playedVoices = 0
  /// How many voices the rendering thread's other work counts as, when notes are dealt.
  var handicap = 0
  /// How many voices all its work counts as.
  var load: Int { @_noLocks get { voices - playedVoices * 7 / 8 + handicap } }
  /// The lanes that wait, the last used on top.
  let waiting: UnsafeMutablePointer<Int32>
  var waitingCount = 0
  /// The fewest that waited at a time, lately.
  var fewestWaiting = 0

  /// What the lanes render in the cycle in progress.
  var sums: Sums
  /// What they rendered in the one before, which may still be being mixed.
  var lastSums: Sums

  /// Four channels of floats that a lane renders into, before they are added to the sums.
  let scratch: UnsafeMutablePointer<Float>
  let dry: UnsafeMutablePointer<UnsafeMutablePointer<Float>?>
  let sends: UnsafeMutablePointer<UnsafeMutablePointer<Float>?>
  /// What `fluid_synth_process` is given for the sends: 4, or 0 when no effect is on.
  let sendCount: Int32
  /// Whether each lane runs effects of its own, because the library keeps the sends to itself; a
  /// lane then rings on until it is quiet. See ``Footing``.
  var hasLaneEffects = false

  /// Recordings of notes that come again, shared by all pools; `nil` where none are kept.
  var cache: UnsafeMutablePointer<NoteCache>?

  /// The most blocks rendered at once: enough to spread the cost of a call, and small enough that
  /// what is rendered stays in the first-level cache until it is added.
  static var blocksAtOnce: Int { @_noLocks get { 8 } }
  /// −90 dBFS.
  private static var quiet: Float { @_noLocks get { 3.2e-5 } }
  private static var windowFrames: Int64 { @_noLocks get { 1024 } }
  /// How many lanes stay in the second-level cache while others render: each uses about 32 kB, most of it
  /// FluidSynth's buffers.
  private static var mostCachedLanes: Int { @_noLocks get { 24 } }

  /// Lets a lane wait for its next note.
  @_noLocks mutating func addWaiting(_ lane: Int32) {
    waiting[waitingCount] = lane
    waitingCount += 1
  }

  /// Takes one of the lanes that have waited ever since the last of them was taken so, those used longest
  /// ago first; `nil` when no more did, and then a new while begins. Realtime: no.
  mutating func takeIdle() -> Int32? {
    guard fewestWaiting > 0 else {
      fewestWaiting = waitingCount
      return nil
    }
    fewestWaiting -= 1
    waitingCount -= 1
    let lane = waiting[0]
    for i in 0..<waitingCount { waiting[i] = waiting[i + 1] }
    return lane
  }

  /// Renders every sounding lane of the pool until its next block begins at or after `end`.
  ///
  /// - Parameters:
  ///   - origin: The frame that the sums begin at.
  ///   - end: At most the longest cycle after `origin`.
  @_noLocks func render(
    _ lanes: UnsafeMutablePointer<Lane>, from origin: Int64, until end: Int64, tunings: Tunings
  ) {
    // A window at a time, so that the sums stay in the cache while all lanes add to them; unless there are so many
    // lanes that each would have to come back into the cache for each window.
    let isCrowded = renderedLanes(lanes) > Self.mostCachedLanes
    if isCrowded, isHelped {
      return renderShared(lanes, from: origin, until: end, tunings: tunings)
    }
    let step = isCrowded ? end - origin : Self.windowFrames
    var window = origin
    while window < end {
      window = min(window + step, end)
      for i in 0..<soundingCount {
        if i + 1 < soundingCount { predictLanes(lanes + Int(sounding[i + 1])) }
        renderLane(
          lanes + Int(sounding[i]), from: origin, until: window, limit: end, tunings: tunings)
      }
    }
  }

  /// Renders every sounding lane to the end of the cycle, and lets other threads help.
  @_noLocks private func renderShared(
    _ lanes: UnsafeMutablePointer<Lane>, from origin: Int64, until end: Int64, tunings: Tunings
  ) {
    var count = 0
    for i in 0..<soundingCount where lanes[Int(sounding[i])].head.isOff {
      share.put(sounding[i], at: count)
      count += 1
    }
    share.open(count: count)
    // A recording is played after it has been made, so the lanes that use one keep their order.
    for i in 0..<soundingCount where !lanes[Int(sounding[i])].head.isOff {
      renderLane(
        lanes + Int(sounding[i]), from: origin, until: end, limit: end, tunings: tunings)
    }
    while let lane = share.takeFirst() {
      renderLane(lanes + lane, from: origin, until: end, limit: end, tunings: tunings)
    }
  }

  /// Renders lanes of another pool that its own thread has not come to. What they give is added to this pool's
  /// sums, for only the total of all pools counts.
  @_noLocks func help(
    _ other: LaneGroup, _ lanes: UnsafeMutablePointer<Lane>, from origin: Int64, until end: Int64,
    tunings: Tunings
  ) {
    while let lane = other.share.takeLast() {
      renderLane(lanes + lane, from: origin, until: end, limit: end, tunings: tunings)
    }
  }

  /// How many lanes sound that no recording plays.
  @_noLocks private func renderedLanes(_ lanes: UnsafeMutablePointer<Lane>) -> Int {
    var count = 0
    for i in 0..<soundingCount where !lanes[Int(sounding[i])].head.isPlaying { count += 1 }
    return count
  }

  /// Renders one lane until its next block begins at or after `end`; where more blocks are cheaply
  /// had, further, but not beyond `limit`.
  @_noLocks func renderLane(
    _ lane: UnsafeMutablePointer<Lane>, from origin: Int64, until end: Int64, limit: Int64,
    tunings: Tunings
  ) {
    if lane.pointee.head.isPlaying {
      play(lane, from: origin, until: end, tunings: tunings)
    }
    while lane.pointee.isSounding && lane.pointee.next < end {
      obey(lane, tunings: tunings)
      var limit = limit
      if lane.pointee.commandCount > 0 { limit = min(limit, lane.pointee.commands[0].frame) }
      let blocks = min(Int(limit - lane.pointee.next + 63) / 64, Self.blocksAtOnce)
      let uncounted = Lane.blocksPerCount - lane.pointee.blocks % Lane.blocksPerCount
      renderBlocks(min(blocks, uncounted), of: lane, origin: origin)
    }
  }

  @_noLocks private func renderBlocks(
    _ blocks: Int, of lane: UnsafeMutablePointer<Lane>, origin: Int64
  ) {
    let frames = blocks * Lane.blockFrames
    clear(frames)
    fluid_synth_process(lane.pointee.synth, Int32(frames), sendCount, sends, 2, dry)
    let position = Int(lane.pointee.next - origin)
    let dry = sums.dryChannel(of: lane.pointee.stem)
    for channel in 0..<(sendCount == 0 ? 2 : 4) {
      let target = sums.channel(channel < 2 ? dry + channel : channel)
      fixed_point_add(scratchChannel(channel), target + position, frames)
    }
    if !lane.pointee.isHeard { lane.pointee.isHeard = hasSound(frames) }
    lane.pointee.level = peak(ofLastBlockBefore: frames)
    lane.pointee.next += Int64(frames)
    if lane.pointee.isAtCount {
      lane.pointee.voices = fluid_synth_get_active_voice_count(lane.pointee.synth)
    }
    if lane.pointee.head.isRecording { record(blocks, of: lane) }
    if lane.pointee.voices == 0, !hasLaneEffects || lane.pointee.level < Self.quiet {
      silence(lane)
    }
  }

  /// Ends a lane whose note has ended: scrubs the slots that its voices had.
  @_noLocks private func silence(_ lane: UnsafeMutablePointer<Lane>) {
    if scrubs {
      let isFree = lane.pointee.voiceReset.resetVoices(
        lane.pointee.usedSlots, of: lane.pointee.synth)
      if !isFree { lane.pointee.isUnusable = true }
    }
    lane.pointee.usedSlots = 0
    lane.pointee.commandCount = 0
    lane.pointee.isSounding = false
    if let cache, lane.pointee.head.isRecording { cache.pointee.finish(lane.pointee.head) }
  }

  /// Ends a lane's note at once, unheard, if it can be.
  func cutShort(_ lane: UnsafeMutablePointer<Lane>) {
    if lane.pointee.head.isPlaying {
      lane.pointee.isSounding = false
      return
    }
    let synth = lane.pointee.synth
    fluid_synth_cc(synth, 0, Int32(Controller.allSoundOff), 0)
    fluid_synth_process(synth, Int32(Lane.blockFrames), 0, nil, 2, dry)
    if fluid_synth_get_active_voice_count(synth) == 0 { silence(lane) }
  }

  @_noLocks func scratchChannel(_ channel: Int) -> UnsafeMutablePointer<Float> {
    scratch + channel * Self.blocksAtOnce * Lane.blockFrames
  }

  @_noLocks private func clear(_ frames: Int) {
    for channel in 0..<(sendCount == 0 ? 2 : 4) {
      scratchChannel(channel).update(repeating: 0, count: frames)
    }
  }

  /// Whether any sample that a lane has just rendered differs from zero.
  @_noLocks private func hasSound(_ frames: Int) -> Bool {
    for channel in 0..<(sendCount == 0 ? 2 : 4) {
      let samples = scratchChannel(channel)
      for block in stride(from: 0, to: frames, by: Lane.blockFrames)
      where !CompressedBlock.isSilent(samples + block) { return true }
    }
    return false
  }

  @_noLocks private func peak(ofLastBlockBefore end: Int) -> Float {
    let last = end - Lane.blockFrames
    return max(Self.peak(scratchChannel(0) + last), Self.peak(scratchChannel(1) + last))
  }

  /// The greatest sample of a block, about.
  @_noLocks static func peak(_ block: UnsafePointer<Float>) -> Float {
    var peak: Float = 0
    // Every fourth will do to tell loud from quiet.
    for i in stride(from: 0, to: Lane.blockFrames, by: 4) { peak = max(peak, abs(block[i])) }
    return peak
  }
}
