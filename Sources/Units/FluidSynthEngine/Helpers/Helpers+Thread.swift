import CRender
import Threads

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
