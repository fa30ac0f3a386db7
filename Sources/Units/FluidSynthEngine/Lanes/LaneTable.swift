import RenderCore
import Synchronization

/// The lanes of an instrument, in groups: which sound and which are idle, the choice of a lane for a note, the note to steal,
/// and the rendering of lanes.
///
/// Realtime: yes, except creation and what says otherwise. Threads: the planning thread; those that render lane groups call
/// ``render(group:frames:)``.
struct LaneTable {
  /// The groups, and their number. Each is rendered by one thread.
  let groups: UnsafeMutablePointer<LaneGroup>
  let groupCount: Int
  let maker: LaneMaker
  /// The threads that render lanes of group 0, which is then the only group, beside the render thread; `nil`: none.
  private(set) var helpers: UnsafeMutablePointer<Helpers>?
  /// The control synth as a lane. It is neither in the sounding nor in the idle lanes of a group.
  private let overflow: UnsafeMutablePointer<Lane>
  private let lanes: UnsafeMutablePointer<Lane>
  private let tunings: Tunings
  /// The maximum number of notes that sound at once: at most that of the instrument's settings.
  var polyphony: Int
  private let capacity: Int
  private let provisioning: UnsafeMutablePointer<LaneProvisioning>
  private var forecast: LaneForecast
  /// The number of lanes in use, idle or sounding.
  private(set) var count = 0
  /// The first frame of the current cycle.
  private(set) var now: Int64 = 0

  /// Creates the groups, without lanes. Realtime: no.
  ///
  /// - Parameters:
  ///   - maker: Makes the lanes.
  ///   - overflow: Is rendered with its group.
  init(
    _ maker: LaneMaker, overflow: UnsafeMutablePointer<Lane>, _ tunings: Tunings,
    settings: InstrumentSettings, in memory: RenderMemory
  ) {
    self.maker = maker
    self.overflow = overflow
    self.tunings = tunings
    polyphony = settings.polyphony
    capacity = maker.capacity
    lanes = maker.lanes
    provisioning = maker.provisioning
    forecast = LaneForecast(rate: settings.rate, first: settings.firstLanes)
    groupCount = settings.laneGroups
    groups = memory.makeEach(groupCount) { index in
      LaneGroup(index: Int32(index), settings: settings, capacity: maker.capacity, in: memory)
    }
    if settings.startsHelpers, settings.threads > 1 {
      helpers = memory.make(
        Helpers(
          count: settings.threads - 1, settings: settings, lanes: lanes, capacity: capacity,
          tunings: tunings, in: memory))
    }
  }

  /// The greatest number of lanes: all notes at the limit, the fading notes, and notes of a cycle whose lanes have ended but
  /// are not idle yet.
  static func capacity(polyphony: Int) -> Int { polyphony + 256 }

  /// Changes each group, also those of helpers. Realtime: no.
  func forEachGroup(_ body: (inout LaneGroup) -> Void) {
    for index in 0..<groupCount { body(&groups[index]) }
    guard let helpers else { return }
    for index in 0..<helpers.pointee.count { body(&helpers.pointee.groups[index]) }
  }

  subscript(index: Int32) -> UnsafeMutablePointer<Lane> { @_noLocks get { lanes + Int(index) } }

  @_noLocks func group(of lane: UnsafeMutablePointer<Lane>) -> UnsafeMutablePointer<LaneGroup> {
    groups + Int(lane.pointee.group)
  }

  /// Calls `body` with every sounding lane.
  @_noLocks func forEach(_ body: (UnsafeMutablePointer<Lane>) -> Void) {
    for group in 0..<groupCount {
      for i in 0..<groups[group].soundingCount {
        let lane = lanes + Int(groups[group].sounding[i])
        if lane.pointee.isSounding { body(lane) }
      }
    }
  }

  /// Calls `body` with every lane that plays a note of `channel`.
  @_noLocks func forEach(of channel: UInt8, _ body: (UnsafeMutablePointer<Lane>) -> Void) {
    forEach { lane in
      if lane.pointee.channel == channel { body(lane) }
    }
  }

  /// Whether any note sounds.
  var isSounding: Bool {
    @_noLocks get {
      for group in 0..<groupCount where groups[group].soundingCount > 0 { return true }
      return overflow.pointee.isSounding
    }
  }

  /// The numbers of sounding lanes, and of their voices and those of the overflow.
  var load: (lanes: Int, voices: Int) {
    @_noLocks get {
      var load = (lanes: 0, voices: Int(overflow.pointee.voices))
      for group in 0..<groupCount {
        load.lanes += groups[group].soundingCount
        load.voices += groups[group].voices
      }
      return load
    }
  }

  /// Ends all notes, so that the pool can reuse their lanes. Realtime: no.
  func endAllNotes() {
    for index in 0..<groupCount {
      for i in 0..<groups[index].soundingCount {
        let lane = lanes + Int(groups[index].sounding[i])
        if lane.pointee.isSounding { groups[index].endSilently(lane) }
      }
    }
  }
}

// The supply of lanes, which another thread makes on request.
extension LaneTable {
  /// Adopts the lanes that were made since the last cycle.
  @_noLocks mutating func adoptMade() {
    let made = provisioning.pointee.madeCount.load(ordering: .acquiring)
    while count < made {
      groups[Int(lanes[count].group)].addIdle(Int32(count))
      count += 1
    }
  }

  /// Returns whether there are idle lanes for `notes` notes. If not, the missing lanes are requested.
  @_noLocks func isReady(forNotes notes: Int) -> Bool {
    let idle = idleCount
    if idle >= notes || count >= capacity { return true }
    request(count + notes - idle)
    return false
  }

  /// Requests lanes at the end of a cycle, if too few are idle.
  ///
  /// - Parameter notes: The number of notes without a lane since the last call.
  @_noLocks mutating func request(notesWithoutLane notes: Int) {
    if let wanted = forecast.update(sounding: load.lanes + notes, idle: idleCount, now: now) {
      request(wanted)
    }
  }

  private var idleCount: Int {
    @_noLocks get {
      var idle = 0
      for group in 0..<groupCount { idle += groups[group].idleCount }
      return idle
    }
  }

  @_noLocks private func request(_ wanted: Int) {
    let target = min(wanted, capacity)
    if target > provisioning.pointee.requestedCount.load(ordering: .relaxed) {
      provisioning.pointee.requestedCount.store(target, ordering: .relaxed)
    }
  }

  /// Removes an idle lane from its group: from the group with the least load, and if possible the lane that
  /// last played this channel, because it needs the fewest updates.
  ///
  /// - Parameter preferred: The group to use if it has an idle lane; −1 for any.
  /// - Returns: The index of the lane; −1 if no lane is idle.
  @_noLocks func dequeue(for channel: UInt8, preferring preferred: Int32) -> Int32 {
    var best = Int(preferred)
    if best < 0 || groups[best].idleCount == 0 { best = leastLoadedGroup }
    guard best >= 0 else { return -1 }
    let group = groups + best
    let last = group.pointee.idleCount - 1
    var choice = last
    for i in stride(from: last, through: 0, by: -1)
    where lanes[Int(group.pointee.idle[i])].channel == channel {
      choice = i
      break
    }
    let index = group.pointee.idle[choice]
    group.pointee.idle[choice] = group.pointee.idle[last]
    group.pointee.idleCount = last
    group.pointee.fewestIdle = min(group.pointee.fewestIdle, last)
    return index
  }

  /// The group with the least load among those with an idle lane; −1 if there is none.
  private var leastLoadedGroup: Int {
    @_noLocks get {
      var best = -1
      for group in 0..<groupCount where groups[group].idleCount > 0 {
        if best < 0 || groups[group].load < groups[best].load { best = group }
      }
      return best
    }
  }

  /// Adds a lane, whose note has begun, to the sounding ones.
  @_noLocks func begin(_ index: Int32) {
    let lane = lanes + Int(index)
    let group = group(of: lane)
    group.pointee.sounding[group.pointee.soundingCount] = index
    group.pointee.soundingCount += 1
    group.pointee.voices += Int(lane.pointee.voices)
    if lane.pointee.head.isPlaying { group.pointee.playedVoices += Int(lane.pointee.voices) }
  }

  /// Moves the lanes whose notes have ended from the sounding to the idle ones.
  ///
  /// - Parameter body: Called with each of them. An unusable one is not used again.
  @_noLocks func retire(_ body: (UnsafeMutablePointer<Lane>) -> Void) {
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
          body(lane)
          if !lane.pointee.isUnusable { group.pointee.addIdle(index) }
        }
      }
      group.pointee.soundingCount = kept
      group.pointee.voices = voices
      group.pointee.playedVoices = playedVoices
    }
  }
}

// Note stealing.
extension LaneTable {
  /// Whether as many notes sound as may sound at once.
  var isFull: Bool { @_noLocks get { soundingCount { !$0.pointee.isFadingOut } >= polyphony } }

  /// Whether so many notes fade out in addition to the sounding ones that the oldest must be cut, because the number of lanes
  /// is bounded.
  var hasTooManyFading: Bool {
    @_noLocks get { soundingCount { !$0.pointee.isCut } >= polyphony + Self.maximumFadingLanes }
  }

  private static var maximumFadingLanes: Int { @_noLocks get { 64 } }

  /// The number of sounding lanes for which a condition is true.
  @_noLocks private func soundingCount(
    where isCounted: (UnsafeMutablePointer<Lane>) -> Bool
  ) -> Int {
    var count = 0
    forEach { lane in
      if isCounted(lane) { count += 1 }
    }
    return count
  }

  /// The note that has faded out for the longest time and was not cut; `nil` if none fades out.
  var oldestFading: UnsafeMutablePointer<Lane>? {
    @_noLocks get {
      var oldest: UnsafeMutablePointer<Lane>?
      forEach { lane in
        guard lane.pointee.isFadingOut, !lane.pointee.isCut else { return }
        if let current = oldest, current.pointee.started <= lane.pointee.started { return }
        oldest = lane
      }
      return oldest
    }
  }

  /// The note to steal: a released note before one held by a pedal, and that before one whose key is down;
  /// among equals the quietest, then the oldest.
  var victim: UnsafeMutablePointer<Lane>? {
    @_noLocks get {
      var best: UnsafeMutablePointer<Lane>?
      forEach { lane in
        guard !lane.pointee.isFadingOut else { return }
        if let current = best, !isPreferredVictim(lane, than: current) { return }
        best = lane
      }
      return best
    }
  }

  @_noLocks private func isPreferredVictim(
    _ lane: UnsafeMutablePointer<Lane>, than other: UnsafeMutablePointer<Lane>
  ) -> Bool {
    let (hold, otherHold) = (holdLevel(of: lane), holdLevel(of: other))
    if hold != otherHold { return hold < otherHold }
    if lane.pointee.level != other.pointee.level {
      return lane.pointee.level < other.pointee.level
    }
    return lane.pointee.started < other.pointee.started
  }

  /// 0 if the note is released, 1 if a pedal holds it, 2 if its key is down.
  @_noLocks private func holdLevel(of lane: UnsafeMutablePointer<Lane>) -> Int {
    switch lane.pointee.hold {
    case .key: 2
    case .sustain, .sostenuto: 1
    case .nothing: 0
    }
  }
}

// Skipping the sound of cycles that are not heard.
extension LaneTable {
  /// Whether no sound of the current cycle is needed.
  var isSkipping: Bool { @_noLocks get { groups[0].isMuted } }

  /// Begins to skip, before the first note.
  @_noLocks func beginSkipping() { mute(true) }

  @_noLocks private func mute(_ isMuted: Bool) {
    for index in 0..<groupCount { groups[index].isMuted = isMuted }
  }

  /// Ends a planned cycle whose sound is not needed. Lanes are rendered when skipping ends, and before that only where the
  /// choice of a note to steal depends on them, or where too many commands or lanes wait.
  ///
  /// - Parameters:
  ///   - rendersAll: Whether to render all lanes nevertheless.
  ///   - endsReleased: Whether to end the lanes that must be silent by now, which need not be rendered then.
  @_noLocks func skip(frames: Int, rendersAll: Bool, endsReleased: Bool) {
    let end = now + Int64(frames)
    renderOverflow(upTo: end)
    if endsReleased {
      forEach { lane in
        guard lane.pointee.hold == .nothing, lane.pointee.release.hasPassed(at: end) else { return }
        // It may have been audible, and is not to be counted as a silent note.
        lane.pointee.wasAudible = true
        group(of: lane).pointee.endSilently(lane)
      }
    }
    if rendersAll || load.lanes > Self.mostWaitingLanes { renderAll(until: end) }
  }

  /// Ends skipping: lanes that still sound are rendered up to the current cycle.
  @_noLocks func endSkipping() {
    renderAll(until: now)
    mute(false)
  }

  private static var mostWaitingLanes: Int { @_noLocks get { 256 } }
}

// Messages to lanes.
extension LaneTable {
  /// Enqueues a command for a sounding lane. If the queue is full, the lane is rendered up to `frame` first.
  @_noLocks func send(
    _ action: LaneCommand.Action, to lane: UnsafeMutablePointer<Lane>, at frame: Int64
  ) {
    if lane.pointee.isEnded { return }
    if isSkipping { lane.pointee.release.update(for: action) }
    if lane.pointee.commandCount == Lane.commandCapacity {
      // All enqueued commands are due by `frame`, so they can be applied once the lane is rendered up to it.
      guard renderUpTo(lane, to: frame) else { return }
      applyDueCommands(lane)
    }
    lane.pointee.enqueue(action, at: frame)
  }

  /// Enqueues a command for every sounding lane of a channel.
  @_noLocks func send(_ action: LaneCommand.Action, toChannel channel: UInt8, at frame: Int64) {
    forEach(of: channel) { lane in send(action, to: lane, at: frame) }
  }

  /// Applies the commands of a lane that are due.
  @_noLocks func applyDueCommands(_ lane: UnsafeMutablePointer<Lane>) {
    group(of: lane).pointee.applyDueCommands(lane, tunings: tunings)
  }
}

// Rendering.
extension LaneTable {
  /// Renders one lane until its next block begins at or after `frame`.
  ///
  /// - Returns: Whether the lane still sounds.
  @_noLocks func renderUpTo(_ lane: UnsafeMutablePointer<Lane>, to frame: Int64) -> Bool {
    group(of: lane).pointee.renderLane(
      lane, from: now, until: frame, limit: frame, tunings: tunings)
    return lane.pointee.isSounding
  }

  /// Renders all lanes up to `frame` during planning, to find out which notes have ended.
  @_noLocks func renderAll(until frame: Int64) {
    if isSkipping {
      // Also those whose next block begins before the cycle.
      forEach { _ = renderUpTo($0, to: frame) }
      return
    }
    for group in 0..<groupCount {
      groups[group].render(lanes, from: now, until: frame, tunings: tunings)
    }
  }

  /// Renders the overflow up to `frame`. Must be called before a message is applied to the control synth.
  @_noLocks func renderOverflow(upTo frame: Int64) {
    if overflow.pointee.isSounding { _ = renderUpTo(overflow, to: frame) }
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

  /// Renders all lanes to the end of the cycle, with the helpers if there is enough work for them.
  @_noLocks func render(frames: Int) {
    if let helpers {
      let shared = share(with: helpers, frames: frames)
      if shared > 0 { return render(shared, with: helpers, frames: frames) }
    }
    for group in 0..<groupCount { render(group: group, frames: frames) }
  }

  /// Publishes the lanes that have blocks to render in the cycle, if there is enough work for a helper.
  ///
  /// - Returns: The number of lanes published; 0: none.
  @_noLocks private func share(
    with helpers: UnsafeMutablePointer<Helpers>, frames: Int
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

  /// Ends the cycle: its sums become the last ones, and the next cycle begins.
  @_noLocks mutating func endCycle(frames: Int) {
    for index in 0..<groupCount {
      let group = groups + index
      let ended = group.pointee.sums
      group.pointee.lastSums.begin(after: ended, frames: frames)
      group.pointee.sums = group.pointee.lastSums
      group.pointee.lastSums = ended
    }
    now += Int64(frames)
  }

  /// Returns the sums of the last cycle of all groups, which the caller must clear.
  @_noLocks func lastSums(frames: Int) -> Sums {
    let sums = groups[0].lastSums
    for group in 1..<max(groupCount, 1) { sums.addAndClear(groups[group].lastSums, frames: frames) }
    return sums
  }
}
