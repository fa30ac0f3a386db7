import Synchronization

/// Lock-free communication between the render thread and the thread that makes lanes for it.
///
/// The table of lanes is the FIFO: the maker fills the next entry and then increments the count; the render
/// thread adopts all counted lanes. Each field has one writer; a release store and an acquire load order
/// the data written before it.
struct LaneProvisioning: ~Copyable {
  /// The number of lanes in the table. Written by the maker.
  let madeCount = Atomic<Int>(0)
  /// The indices of released lanes, to be filled first. Used by the maker, and only while nothing renders.
  var vacantIndices: [Int] = []
  /// The number of lanes that the table should have. Written by the render thread.
  let requestedCount: Atomic<Int>

  /// - Parameter count: The number of lanes to make at first.
  init(requesting count: Int) { requestedCount = Atomic(count) }

  /// Whether lanes are requested that are not made yet. Threads: any.
  var isPending: Bool {
    @_noLocks get { madeCount.load(ordering: .relaxed) < requestedCount.load(ordering: .relaxed) }
  }
}
