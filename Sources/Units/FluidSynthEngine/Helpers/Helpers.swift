import CFluidSynthOverrides
import CRender
import LocalSystem
import RenderCore

/// The data that the render thread of an instrument shares with its helpers: threads that render some of the lanes of a cycle.
///
/// The render thread publishes the lanes of a cycle and wakes helpers. Each thread takes lanes that no other has taken,
/// and adds them to sums of its own. The render thread also takes what is left, so a helper that wakes late delays
/// nothing; the render thread waits only for lanes that a helper has taken. It then adds the helpers' sums, which are
/// integers, so that the output has the same bits whichever thread rendered a lane.
///
/// Helpers use a copy of the structure, whose constants point to what all threads share.
///
/// Realtime: yes, except for creation. ``HelperThreads`` has the threads.
struct Helpers {
  /// The number of helpers.
  let count: Int
  /// The lane groups with which the helpers render. Their lists of lanes are empty.
  let groups: UnsafeMutablePointer<LaneGroup>
  /// The number of lanes that each helper has rendered in the cycle, one per cache line. Written by the helper before
  /// it increases ``finished``, and cleared by the render thread before it publishes.
  let rendered: UnsafeMutablePointer<Int>
  let lanes: UnsafeMutablePointer<Lane>
  let share: LaneShare
  let cycle: UnsafeMutablePointer<HelpedCycle>
  /// The number of cycles that were published. Only the render thread uses it.
  private(set) var publishedCycles = 0
  /// The number of lanes that helpers have rendered in all cycles. Only the render thread uses it.
  private(set) var renderedLanes = 0

  /// The least work for which a helper is woken, in blocks of one voice, each of about a microsecond.
  var workPerHelper = defaultWorkPerHelper
  static let defaultWorkPerHelper = 96

  let words: SharedWords

  /// For how long the render thread checks whether helpers have finished before it blocks, in nanoseconds. A helper
  /// that is not interrupted finishes its lanes within this time.
  private static var spinTime: Int64 { @_noLocks get { 50_000 } }
  /// The number of published cycles after which helpers that could not follow the render thread are called again.
  private static var retryInterval: Int { @_noLocks get { 4096 } }

  private static var counterStride: Int { @_noLocks get { 8 } }

  /// - Parameters:
  ///   - count: The number of helpers, 1 or more.
  ///   - capacity: The length of the table of lanes.
  init(
    count: Int, settings: InstrumentSettings, lanes: UnsafeMutablePointer<Lane>, capacity: Int,
    tunings: Tunings, in memory: RenderMemory
  ) {
    self.count = count
    groups = memory.makeEach(count) { index in
      LaneGroup(helper: Int32(index), settings: settings, in: memory)
    }
    rendered = memory.make(count * Self.counterStride, of: 0)
    self.lanes = lanes
    cycle = memory.make(HelpedCycle(tunings: tunings))
    share = LaneShare(capacity: capacity, in: memory)
    let words = SharedWords(count: Self.sharedWords + count)
    self.words = words
    memory.onRelease { words.destroy() }
  }

  /// Publishes lanes of `share`, and wakes helpers.
  ///
  /// - Parameters:
  ///   - laneCount: The number of lanes that were set in `share`.
  ///   - helperCount: The number of helpers to wake.
  @_noLocks mutating func publish(_ laneCount: Int, of cycle: HelpedCycle, to helperCount: Int) {
    self.cycle.pointee = cycle
    finished.store(0)
    share.publish(count: laneCount)
    let thread = UInt32(bitPattern: FollowedThread.current.identifier)
    let isRetry = leader.value != thread || publishedCycles % Self.retryInterval == 0
    leader.store(thread)
    publishedCycles += 1
    var called = 0
    for helper in 0..<count where called < helperCount {
      if call(helper, isRetry: isRetry) { called += 1 }
    }
  }

  /// - Returns: Whether the helper takes part.
  @_noLocks private func call(_ helper: Int, isRetry: Bool) -> Bool {
    let word = word(of: helper)
    if isRetry { _ = word.exchange(HelperCall.declined, for: HelperCall.none) }
    if word.exchange(HelperCall.none, for: HelperCall.pending) { word.wake() }
    return word.value != HelperCall.declined
  }

  /// Renders published lanes until none are left, waits for those that helpers have taken, and adds the helpers' sums
  /// to those of `group`.
  @_noLocks mutating func finish(_ laneCount: Int, with group: UnsafeMutablePointer<LaneGroup>) {
    let own = renderLanes(with: group) { share.takeFirst(sharedBy: count + 1) }
    wait(until: UInt32(laneCount - own))
    renderedLanes += laneCount - own
    for helper in 0..<count where rendered[helper * Self.counterStride] > 0 {
      group.pointee.sums.addAndClear(groups[helper].sums, frames: cycle.pointee.frames)
      rendered[helper * Self.counterStride] = 0
    }
  }

  /// Renders lanes as long as `take` returns some.
  ///
  /// - Returns: The number of lanes.
  @_noLocks func renderLanes(
    with group: UnsafeMutablePointer<LaneGroup>, _ take: () -> LaneShare.Part?
  ) -> Int {
    var count = 0
    while let taken = take() {
      let (origin, end, tunings) = (cycle.pointee.origin, cycle.pointee.end, cycle.pointee.tunings)
      for index in taken.first..<taken.first + taken.count {
        group.pointee.renderLane(
          lanes + share.lane(at: index), from: origin, until: end, limit: end, tunings: tunings)
      }
      count += taken.count
    }
    return count
  }

  /// Waits until helpers have rendered `expected` lanes of the cycle.
  @_noLocks private func wait(until expected: UInt32) {
    var value = finished.value
    if value == expected { return }
    let deadline = MonotonicClock.now + Self.spinTime
    repeat {
      for _ in 0..<16 { spin_pause() }
      value = finished.value
      if value == expected { return }
    } while MonotonicClock.now < deadline
    while value & ~Self.waitingBit != expected {
      let waiting = value | Self.waitingBit
      if value == waiting || finished.exchange(value, for: waiting) {
        finished.wait(while: waiting, until: nil)
      }
      value = finished.value
    }
  }
}

// The helper's side.
extension Helpers {
  /// Renders lanes whenever the render thread calls, until ``stopping``. Realtime: no, but what it does for a cycle is,
  /// except in the first cycles of a render thread, whose scheduling it adopts.
  func run(_ helper: Int) {
    var followed = FollowedScheduling()
    var calls: UInt32 = 0
    while waitForCall(helper) {
      if calls % Self.followInterval == 0 || followed.thread != leader.value {
        calls = 0
        guard followed.follow(leader.value) else {
          _ = word(of: helper).exchange(HelperCall.none, for: HelperCall.declined)
          continue
        }
      }
      calls &+= 1
      RealtimeSection.begin()
      help(helper)
      RealtimeSection.end()
    }
  }

  /// After how many calls a helper checks the scheduling of the render thread.
  private static var followInterval: UInt32 { 1024 }

  /// - Returns: `false` if the helper must end.
  private func waitForCall(_ helper: Int) -> Bool {
    let word = word(of: helper)
    while stopping.value == 0 {
      if word.exchange(HelperCall.pending, for: HelperCall.none) { return true }
      word.wait(
        while: word.value == HelperCall.declined ? HelperCall.declined : HelperCall.none, until: nil
      )
    }
    return false
  }

  /// Renders published lanes until none are left.
  @_noLocks private func help(_ helper: Int) {
    rendering_begin()
    defer { rendering_end() }
    let count = renderLanes(with: groups + helper) { take() }
    guard count > 0 else { return }
    rendered[helper * Self.counterStride] = count
    if finished.add(UInt32(count)) & Self.waitingBit != 0 { finished.wake() }
  }

  @_noLocks private func take() -> LaneShare.Part? {
    guard let taken = share.takeLast(sharedBy: count + 1) else { return nil }
    let mode = cycle.pointee.mode
    if floating_point_mode() != mode { floating_point_set_mode(mode) }
    while obstacle.value != 0 { obstacle.wait(while: obstacle.value, until: nil) }
    return taken
  }
}

/// The scheduling that a helper has adopted.
private struct FollowedScheduling {
  private(set) var thread: UInt32 = 0
  private var priority = 0
  private var isFollowing = false

  /// Adopts the scheduling of a thread if it is another thread or has another priority.
  ///
  /// - Returns: As ``FollowedThread/follow()``.
  mutating func follow(_ identifier: UInt32) -> Bool {
    let leader = FollowedThread(identifier: Int32(bitPattern: identifier))
    let priority = leader.priority
    if isFollowing, identifier == thread, priority == self.priority { return true }
    (thread, self.priority) = (identifier, priority)
    isFollowing = leader.follow()
    return isFollowing
  }
}

// The shared words.
extension Helpers {
  /// The number of lanes that helpers have rendered in the cycle, and ``waitingBit``.
  var finished: SharedWord { @_noLocks get { words[0] } }
  /// Set while the render thread blocks until ``finished`` changes.
  private static var waitingBit: UInt32 { @_noLocks get { 1 << 31 } }
  /// The identifier of the render thread, which writes it.
  var leader: SharedWord { @_noLocks get { words[1] } }
  /// Not 0: the helpers must end. Written by the owner.
  var stopping: SharedWord { @_noLocks get { words[2] } }
  /// For tests: while not 0, helpers block after they have taken lanes.
  var obstacle: SharedWord { @_noLocks get { words[3] } }
  /// A value of ``HelperCall``.
  @_noLocks func word(of helper: Int) -> SharedWord { words[Self.sharedWords + helper] }

  private static var sharedWords: Int { @_noLocks get { 4 } }
}

/// The values of the word with which the render thread calls a helper.
enum HelperCall {
  static var none: UInt32 { @_noLocks get { 0 } }
  static var pending: UInt32 { @_noLocks get { 1 } }
  /// The helper cannot follow the render thread.
  static var declined: UInt32 { @_noLocks get { 2 } }
}
