import RenderCore
import Synchronization

// Resources that another thread makes for the render thread on request.
extension ExactState {
  @_noLocks func requestPresets(for message: ChannelMessage) {
    if tables.isShared { requests.presets.pointee.request(for: message) }
  }

  /// Adopts the lanes and presets that were made since the last cycle.
  @_noLocks mutating func adoptSupplies() {
    let made = provisioning.pointee.madeCount.load(ordering: .acquiring)
    while laneCount < made {
      groups[Int(lanes[laneCount].group)].addIdle(Int32(laneCount))
      laneCount += 1
    }
    statistics.lanes = laneCount
    if tables.isShared, let own = requests.presets.pointee.loaded { tables = own }
  }

  /// Returns whether there are idle lanes for `count` notes. If not, the missing lanes are requested.
  @_noLocks mutating func isReady(forNotes count: Int) -> Bool {
    adoptSupplies()
    var idle = 0
    for group in 0..<groupCount { idle += groups[group].idleCount }
    if idle >= count || laneCount >= laneCapacity { return true }
    let target = min(laneCount + count - idle, laneCapacity)
    if target > provisioning.pointee.requestedCount.load(ordering: .relaxed) {
      provisioning.pointee.requestedCount.store(target, ordering: .relaxed)
    }
    return false
  }

  /// At the end of a cycle: requests lanes, if too few are idle, and samples.
  @_noLocks mutating func requestLanes() {
    requestSamples()
    var sounding = 0
    var idle = 0
    for group in 0..<groupCount {
      sounding += groups[group].soundingCount
      idle += groups[group].idleCount
    }
    let target = forecast.update(sounding: sounding + notesWithoutLane, idle: idle, now: now)
    notesWithoutLane = 0
    guard let target, target > provisioning.pointee.requestedCount.load(ordering: .relaxed) else {
      return
    }
    provisioning.pointee.requestedCount.store(min(target, laneCapacity), ordering: .relaxed)
  }
}
