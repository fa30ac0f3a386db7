import CFluidSynth
import CFluidSynthOverrides
import CRender

/// The lanes that one thread renders, with the memory it needs.
///
/// Groups share only the SoundFont, so each may be rendered on its own thread. The sum of all groups is
/// bit-identical for every distribution of the notes among them.
struct LaneGroup {
  let index: Int32
  /// Whether voice slots are reset after a note; see ``LibraryCapabilities``.
  var resetsVoiceSlots = true
  let voiceList: VoiceList

  /// The sounding lanes, as indices into the engine's table.
  let sounding: UnsafeMutablePointer<Int32>
  var soundingCount = 0
  /// The sounding lanes that the threads of other groups may render.
  let sharedLanes: LaneShare
  /// Whether there are other groups.
  let sharesLanes: Bool
  /// The voices of the lanes: as of the end of the last cycle, plus those of notes that began since.
  var voices = 0
  /// The number of these voices that recordings play, for about an eighth of the work.
  var playedVoices = 0
  /// The load of the rendering thread's other work, in voices.
  var handicap = 0
  /// The load of the group in voices, by which notes are distributed.
  var load: Int { @_noLocks get { voices - playedVoices * 7 / 8 + handicap } }
  /// The idle lanes; the last used is the last.
  let idle: UnsafeMutablePointer<Int32>
  var idleCount = 0
  /// The minimum number of idle lanes since the last check; see ``dequeueIdle()``.
  var fewestIdle = 0

  /// The output of the lanes in the current cycle.
  var sums: Sums
  /// The output of the previous cycle, which may still be in the mix.
  var lastSums: Sums

  /// The buffers of lanes whose synths have none of their own.
  let mixBuffers: MixBuffers
  /// Four channels that a lane renders into, before they are added to the sums.
  let scratch: UnsafeMutablePointer<Float>
  let dry: UnsafeMutablePointer<UnsafeMutablePointer<Float>?>
  let sends: UnsafeMutablePointer<UnsafeMutablePointer<Float>?>
  /// The number of sends for `fluid_synth_process`: 4, or 0 without effects.
  let sendCount: Int32
  /// The buffers into which the control synth renders if each MIDI channel is a stem.
  var overflowScratch: OverflowScratch?
  /// Whether each lane runs its own effects, because the library does not output the sends. A lane then
  /// sounds until its effects are quiet. See ``LibraryCapabilities``.
  var hasLaneEffects = false

  /// `nil` until the instrument sets it.
  var masterGain: UnsafePointer<MasterGain>?
  /// Left and right of a lane's dry sound after the master gain.
  let gainedDry: UnsafeMutablePointer<Float>

  /// Whether the output of lanes is not needed: they are rendered, but not added to the sums.
  var isMuted = false

  /// Receives the dry sound of each note; `nil` if it is not needed.
  var noteSound: UnsafeMutablePointer<NoteSound>?

  /// The recordings of recurring notes, shared by all groups; `nil` if there are none.
  var cache: UnsafeMutablePointer<NoteCache>?

  /// The maximum number of blocks per call: large enough to amortize the cost of a call, and small enough
  /// that the output stays in the L1 cache until it is added.
  static var blocksAtOnce: Int { @_noLocks get { 8 } }
  /// −90 dBFS.
  private static var quiet: Float { @_noLocks get { 3.2e-5 } }
  private static var windowFrames: Int64 { @_noLocks get { 1024 } }
  /// The number of lanes that stay in the L2 cache while others render. Each uses about 32 kB, most of it
  /// FluidSynth's buffers.
  private static var maximumCachedLanes: Int { @_noLocks get { 24 } }

  /// Marks a lane as idle.
  @_noLocks mutating func addIdle(_ lane: Int32) {
    idle[idleCount] = lane
    idleCount += 1
  }

  /// Removes and returns a lane, the least recently used, if at least one lane was idle during the whole
  /// window since the last `nil`. Otherwise returns `nil` and starts a new window. Realtime: no.
  mutating func dequeueIdle() -> Int32? {
    guard fewestIdle > 0 else {
      fewestIdle = idleCount
      return nil
    }
    fewestIdle -= 1
    idleCount -= 1
    let lane = idle[0]
    for i in 0..<idleCount { idle[i] = idle[i + 1] }
    return lane
  }

  /// Renders every sounding lane of the group until its next block begins at or after `end`.
  ///
  /// - Parameters:
  ///   - origin: The frame of the first sample of the sums.
  ///   - end: At most the longest cycle after `origin`.
  @_noLocks func render(
    _ lanes: UnsafeMutablePointer<Lane>, from origin: Int64, until end: Int64, tunings: Tunings
  ) {
    // Renders in windows, so that the sums stay in the cache while all lanes add to them. With too many
    // lanes this is slower, because every lane would be loaded into the cache again for every window.
    let isCrowded = renderedLanes(lanes) > Self.maximumCachedLanes
    if isCrowded, sharesLanes {
      return renderShared(lanes, from: origin, until: end, tunings: tunings)
    }
    let step = isCrowded ? end - origin : Self.windowFrames
    var window = origin
    while window < end {
      window = min(window + step, end)
      for i in 0..<soundingCount {
        if i + 1 < soundingCount { prefetchRecording(of: lanes + Int(sounding[i + 1])) }
        renderLane(
          lanes + Int(sounding[i]), from: origin, until: window, limit: end, tunings: tunings)
      }
    }
  }

  /// Renders every sounding lane to the end of the cycle; other threads may steal lanes.
  @_noLocks private func renderShared(
    _ lanes: UnsafeMutablePointer<Lane>, from origin: Int64, until end: Int64, tunings: Tunings
  ) {
    var count = 0
    for i in 0..<soundingCount where lanes[Int(sounding[i])].head.isOff {
      sharedLanes.set(sounding[i], at: count)
      count += 1
    }
    sharedLanes.publish(count: count)
    // A recording is played after it is recorded, so lanes that use one are rendered in order.
    for i in 0..<soundingCount where !lanes[Int(sounding[i])].head.isOff {
      renderLane(
        lanes + Int(sounding[i]), from: origin, until: end, limit: end, tunings: tunings)
    }
    while let lane = sharedLanes.popFirst() {
      renderLane(lanes + lane, from: origin, until: end, limit: end, tunings: tunings)
    }
  }

  /// Renders lanes of another group that its own thread has not reached. The output is added to the sums of
  /// this group, because only the total of all groups matters.
  @_noLocks func renderLanes(
    stolenFrom other: LaneGroup, _ lanes: UnsafeMutablePointer<Lane>, from origin: Int64,
    until end: Int64,
    tunings: Tunings
  ) {
    while let lane = other.sharedLanes.popLast() {
      renderLane(lanes + lane, from: origin, until: end, limit: end, tunings: tunings)
    }
  }

  /// The number of sounding lanes that do not play a recording.
  @_noLocks private func renderedLanes(_ lanes: UnsafeMutablePointer<Lane>) -> Int {
    var count = 0
    for i in 0..<soundingCount where !lanes[Int(sounding[i])].head.isPlaying { count += 1 }
    return count
  }

  /// Renders one lane until its next block begins at or after `end`. May render further blocks in the same
  /// call, but not beyond `limit`.
  @_noLocks func renderLane(
    _ lane: UnsafeMutablePointer<Lane>, from origin: Int64, until end: Int64, limit: Int64,
    tunings: Tunings
  ) {
    if lane.pointee.head.isPlaying {
      play(lane, from: origin, until: end, tunings: tunings)
    }
    while lane.pointee.isSounding && lane.pointee.next < end {
      applyDueCommands(lane, tunings: tunings)
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
    let position = Int(lane.pointee.next - origin)
    if lane.pointee.stem == Lane.everyStem, let overflowScratch {
      lane.pointee.level = overflowScratch.render(
        lane.pointee.synth, frames: frames, sendCount: sendCount, into: sums, at: position
      ) { samples, side in withMasterGain(samples, side: side, of: lane, frames: frames) }
      endMasterGain(of: lane, frames: frames)
    } else {
      render(lane, frames: frames, at: position)
    }
    lane.pointee.next += Int64(frames)
    if lane.pointee.isAtCount {
      lane.pointee.voices = fluid_synth_get_active_voice_count(lane.pointee.synth)
    }
    if lane.pointee.head.isRecording { record(blocks, of: lane) }
    if lane.pointee.voices == 0, !hasLaneEffects || lane.pointee.level < Self.quiet {
      silence(lane)
    }
  }

  /// Renders a lane's synth and adds its output to the sums.
  @_noLocks private func render(
    _ lane: UnsafeMutablePointer<Lane>, frames: Int, at position: Int
  ) {
    if let pointers = lane.pointee.mixPointers {
      pointers.set(mixBuffers)
      mix_voices(UnsafeMutableRawPointer(lane.pointee.synth), Int32(frames))
      if isOnlyMixed(lane) { return addMixBuffers(of: lane, frames: frames, at: position) }
      readMixBuffers(frames)
    } else {
      clear(frames)
      fluid_synth_process(lane.pointee.synth, Int32(frames), sendCount, sends, 2, dry)
    }
    let left = withMasterGain(scratchChannel(0), side: 0, of: lane, frames: frames)
    let right = withMasterGain(scratchChannel(1), side: 1, of: lane, frames: frames)
    endMasterGain(of: lane, frames: frames)
    if !lane.pointee.wasAudible { lane.pointee.wasAudible = hasSound(frames) }
    lane.pointee.audible.measure(left, right, frames: frames, from: lane.pointee.next)
    lane.pointee.level = peak(ofLastBlockBefore: frames)
    if isMuted { return }
    let dry = sums.dryChannel(of: lane.pointee.stem)
    fixed_point_add(left, sums.channel(dry) + position, frames)
    fixed_point_add(right, sums.channel(dry + 1) + position, frames)
    if sendCount > 0 {
      for channel in 2..<4 {
        fixed_point_add(scratchChannel(channel), sums.channel(channel) + position, frames)
      }
    }
    noteSound?.pointee.add(
      lane.pointee.audible.note, at: lane.pointee.next, left, right, frames: frames)
  }

  /// Returns one side of what a lane has rendered or played, from its next block on, after the master gain.
  @_noLocks func withMasterGain(
    _ samples: UnsafePointer<Float>, side: Int, of lane: UnsafeMutablePointer<Lane>, frames: Int
  ) -> UnsafePointer<Float> {
    guard let masterGain, masterGain.pointee.isActive else { return samples }
    let output = gainedDry + side * Self.blocksAtOnce * Lane.blockFrames
    masterGain.pointee.apply(
      to: samples, side: side, from: lane.pointee.gain[side], first: lane.pointee.next,
      frames: frames, in: output)
    return UnsafePointer(output)
  }

  /// Must be called after both sides of some frames have the master gain.
  @_noLocks func endMasterGain(of lane: UnsafeMutablePointer<Lane>, frames: Int) {
    guard let masterGain, masterGain.pointee.isActive else { return }
    let lastBlock = lane.pointee.next + Int64(frames - Lane.blockFrames)
    lane.pointee.gain = masterGain.pointee.gain(at: lastBlock)
  }

  /// Ends a lane whose note has ended, and resets the voice slots that it used.
  @_noLocks private func silence(_ lane: UnsafeMutablePointer<Lane>) {
    if resetsVoiceSlots {
      let isFree = lane.pointee.voiceReset.resetVoices(
        lane.pointee.usedSlots, of: lane.pointee.synth)
      if !isFree { lane.pointee.isUnusable = true }
    }
    lane.pointee.usedSlots = 0
    lane.pointee.commandCount = 0
    lane.pointee.isSounding = false
    if let cache, lane.pointee.head.isRecording { cache.pointee.finish(lane.pointee.head) }
  }

  /// Ends a lane's note without output, if possible.
  @_noLocks func endSilently(_ lane: UnsafeMutablePointer<Lane>) {
    if lane.pointee.head.isPlaying {
      lane.pointee.isSounding = false
      return
    }
    let synth = lane.pointee.synth
    fluid_synth_cc(synth, 0, Int32(Controller.allSoundOff), 0)
    lane.pointee.mixPointers?.set(mixBuffers)
    mix_voices(UnsafeMutableRawPointer(synth), Int32(Lane.blockFrames))
    if fluid_synth_get_active_voice_count(synth) == 0 { silence(lane) }
  }

  @_noLocks private func scratchChannel(_ channel: Int) -> UnsafeMutablePointer<Float> {
    scratch + channel * Self.blocksAtOnce * Lane.blockFrames
  }

  @_noLocks private func clear(_ frames: Int) {
    for channel in 0..<(sendCount == 0 ? 2 : 4) {
      scratchChannel(channel).update(repeating: 0, count: frames)
    }
  }

  /// Whether what a lane renders is needed in the sums alone.
  @_noLocks private func isOnlyMixed(_ lane: UnsafeMutablePointer<Lane>) -> Bool {
    lane.pointee.wasAudible && lane.pointee.head.isOff && lane.pointee.audible.note < 0
      && noteSound == nil && masterGain?.pointee.isActive != true
  }

  /// Adds what a synth has mixed to the sums.
  @_noLocks private func addMixBuffers(
    of lane: UnsafeMutablePointer<Lane>, frames: Int, at position: Int
  ) {
    let last = frames - Lane.blockFrames
    lane.pointee.level = max(
      Self.peak(mixBuffers.left + last), Self.peak(mixBuffers.right + last))
    if isMuted { return }
    let dry = sums.dryChannel(of: lane.pointee.stem)
    fixed_point_add_narrowed(mixBuffers.left, sums.channel(dry) + position, frames)
    fixed_point_add_narrowed(mixBuffers.right, sums.channel(dry + 1) + position, frames)
    if sendCount > 0 {
      fixed_point_add_narrowed(mixBuffers.reverb, sums.channel(2) + position, frames)
      fixed_point_add_narrowed(mixBuffers.chorus, sums.channel(3) + position, frames)
    }
  }

  /// Copies what a synth has mixed to the scratch channels, as `fluid_synth_process` does.
  @_noLocks private func readMixBuffers(_ frames: Int) {
    samples_narrow(mixBuffers.left, scratchChannel(0), frames)
    samples_narrow(mixBuffers.right, scratchChannel(1), frames)
    if sendCount == 0 { return }
    samples_narrow(mixBuffers.reverb, scratchChannel(2), frames)
    samples_narrow(mixBuffers.chorus, scratchChannel(3), frames)
  }

  /// Whether any sample that a lane has just rendered is not zero.
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

  /// The approximate peak of a block.
  @_noLocks static func peak(_ block: UnsafePointer<Float>) -> Float {
    var peak: Float = 0
    // Every fourth sample is accurate enough to compare levels.
    for i in stride(from: 0, to: Lane.blockFrames, by: 4) { peak = max(peak, abs(block[i])) }
    return peak
  }

  @_noLocks private static func peak(_ block: UnsafePointer<Double>) -> Float {
    var peak = 0.0
    for i in stride(from: 0, to: Lane.blockFrames, by: 4) { peak = max(peak, abs(block[i])) }
    return Float(peak)
  }
}
