import Synchronization

/// What passes between the render thread and a thread that makes lanes for it, without a lock.
///
/// The table of lanes is the FIFO: the maker fills the next place and then counts it; the render thread
/// takes into use what was counted. Each field is written by one of the two; a release store and
/// an acquire load of it order what was written before.
struct LaneProvisioning: ~Copyable {
  /// How many lanes the table holds. Maker.
  let made = Atomic<Int>(0)
  /// Places whose lanes were put away, to be filled first. Maker, and only while nobody renders.
  var vacant: [Int] = []
  /// How many it should hold. Render thread.
  let wanted = Atomic<Int>(LaneForecast.first)

  /// Whether there is something to make. Threads: any.
  var isWaitedFor: Bool {
    @_noLocks get { made.load(ordering: .relaxed) < wanted.load(ordering: .relaxed) }
  }
}
