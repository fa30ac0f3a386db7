/// Checks the round trips that a host states against the node's own times, and keeps those that are possible.
///
/// The host requested the previous cycle before the node began it, and after the node had answered the cycle before it. It
/// saw the answer after the node had rendered the cycle, and before the node began the present one.
///
/// Realtime: yes. Threads: the render thread.
struct RoundTripCheck: BitwiseCopyable {
  private let recent: RecentRoundTrips
  private var began: Int64
  private var ended: Int64
  /// When the node had rendered the cycle before the previous one.
  private var endedBefore: Int64

  /// - Parameter now: A time of ``MonotonicClock`` before the host can request a cycle.
  init(_ recent: RecentRoundTrips, since now: Int64) {
    self.recent = recent
    (began, ended, endedBefore) = (now, now, now)
  }

  /// Begins a cycle.
  ///
  /// - Parameters:
  ///   - stated: The round trip of the previous cycle in nanoseconds, as the host states it; 0: it does not.
  ///   - now: The time of ``MonotonicClock``.
  @_noLocks mutating func begin(_ stated: UInt32, at now: Int64) {
    let isPossible = Int64(stated) >= ended - began && Int64(stated) <= now - endedBefore
    if stated != 0, isPossible { recent.add(stated, at: now) }
    endedBefore = ended
    began = now
  }

  /// Ends the cycle, before it is answered.
  @_noLocks mutating func end(at now: Int64) { ended = now }
}
