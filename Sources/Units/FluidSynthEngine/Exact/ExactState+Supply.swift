import Synchronization

// What the render thread takes from whoever makes things for it, and what it asks for.
extension ExactState {
  /// Whether something is asked for that is not made yet.
  var needsSupply: Bool {
    @_noLocks get {
      // Not by `||`, whose closure the annotation refuses.
      if supply.pointee.isWaitedFor { return true }
      if let samples = tables.samples, samples.isWaitedFor { return true }
      return presetSupply.pointee.isWaitedFor
    }
  }

  /// Takes into use what was made since the last cycle.
  @_noLocks mutating func takeSupplies() {
    let made = supply.pointee.made.load(ordering: .acquiring)
    while laneCount < made {
      pools[Int(lanes[laneCount].pool)].addWaiting(Int32(laneCount))
      laneCount += 1
    }
    statistics.lanes = laneCount
    if tables.isShared, let own = presetSupply.pointee.loaded { tables = own }
  }

  /// Whether a lane waits for each of so many notes. If not, those that are missing are asked for.
  @_noLocks mutating func isReady(forNotes count: Int) -> Bool {
    takeSupplies()
    var waiting = 0
    for pool in 0..<poolCount { waiting += pools[pool].waitingCount }
    if waiting >= count || laneCount >= laneCapacity { return true }
    let wanted = min(laneCount + count - waiting, laneCapacity)
    if wanted > supply.pointee.wanted.load(ordering: .relaxed) {
      supply.pointee.wanted.store(wanted, ordering: .relaxed)
    }
    return false
  }

  /// After a cycle: asks for lanes, if too few wait, and for samples.
  @_noLocks mutating func orderLanes() {
    requestSamples()
    var sounding = 0
    var waiting = 0
    for pool in 0..<poolCount {
      sounding += pools[pool].soundingCount
      waiting += pools[pool].waitingCount
    }
    let wanted = demand.follow(sounding: sounding + laneless, waiting: waiting, now: now)
    laneless = 0
    guard let wanted, wanted > supply.pointee.wanted.load(ordering: .relaxed) else { return }
    supply.pointee.wanted.store(min(wanted, laneCapacity), ordering: .relaxed)
  }
}
