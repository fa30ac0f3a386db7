// Which lane a note gets, and what gives way when there is none.
extension ExactState {
  /// Keeps the number of notes below the limit, ending one if it must.
  @_noLocks mutating func makeRoom(at frame: Int64) {
    guard livingLanes >= polyphony else { return }
    // Some may have ended since the last look; and a choice needs everyone's level as of now.
    renderAll(until: frame)
    guard livingLanes >= polyphony, let victim = victim() else { return }
    tell(victim, .choke, at: frame)
    victim.pointee.isDying = true
    victim.pointee.held.removeAll()
    statistics.stolenNotes += 1
    if soundingLanes >= polyphony + Self.mostFading { cutOldestFading(at: frame) }
  }

  /// How many notes may fade beside those that sound: beyond it the oldest ends at once, so that a
  /// flood of notes does not become a flood of lanes.
  private static var mostFading: Int { @_noLocks get { 64 } }

  private var soundingLanes: Int { @_noLocks get { countLanes { !$0.pointee.isCut } } }

  /// How many lanes sound and are not about to end.
  private var livingLanes: Int { @_noLocks get { countLanes { !$0.pointee.isDying } } }

  @_noLocks private func countLanes(where isCounted: (UnsafeMutablePointer<Lane>) -> Bool) -> Int {
    var count = 0
    forEachLane { lane in
      if isCounted(lane) { count += 1 }
    }
    return count
  }

  @_noLocks private func cutOldestFading(at frame: Int64) {
    var oldest: UnsafeMutablePointer<Lane>?
    forEachLane { lane in
      guard lane.pointee.isDying, !lane.pointee.isCut else { return }
      if let current = oldest, current.pointee.started <= lane.pointee.started { return }
      oldest = lane
    }
    guard let oldest else { return }
    tell(oldest, .cut, at: frame)
    oldest.pointee.isCut = true
  }

  /// A waiting lane, moved into use: of the pool that has least to do, and if possible one that
  /// played this channel last, for it needs to be told least. −1 when none waits.
  ///
  /// - Parameter preferred: The pool to take it of if that has one; −1 for none.
  @_noLocks mutating func takeLane(for channel: UInt8, preferring preferred: Int32) -> Int32 {
    var best = Int(preferred)
    if best < 0 || pools[best].waitingCount == 0 { best = leastLoadedPool }
    guard best >= 0 else { return -1 }
    let pool = pools + best
    let last = pool.pointee.waitingCount - 1
    var choice = last
    for i in stride(from: last, through: 0, by: -1) {
      let lane = lanes + Int(pool.pointee.waiting[i])
      if lane.pointee.channel == channel {
        choice = i
        break
      }
    }
    let index = pool.pointee.waiting[choice]
    pool.pointee.waiting[choice] = pool.pointee.waiting[last]
    pool.pointee.waitingCount = last
    pool.pointee.fewestWaiting = min(pool.pointee.fewestWaiting, last)
    return index
  }

  /// Of the pools that have a lane waiting; −1 when none has.
  private var leastLoadedPool: Int {
    @_noLocks get {
      var best = -1
      for pool in 0..<poolCount where pools[pool].waitingCount > 0 {
        if best < 0 || pools[pool].load < pools[best].load { best = pool }
      }
      return best
    }
  }

  /// The note that will be missed least: a released one before one that a pedal holds, that before
  /// one whose key is down; among equals the quietest, and then the oldest.
  @_noLocks private func victim() -> UnsafeMutablePointer<Lane>? {
    var best: UnsafeMutablePointer<Lane>?
    forEachLane { lane in
      guard !lane.pointee.isDying else { return }
      if let current = best, !isMissedLess(lane, than: current) { return }
      best = lane
    }
    return best
  }

  @_noLocks private func isMissedLess(
    _ lane: UnsafeMutablePointer<Lane>, than other: UnsafeMutablePointer<Lane>
  ) -> Bool {
    let (hold, otherHold) = (hold(on: lane), hold(on: other))
    if hold != otherHold { return hold < otherHold }
    if lane.pointee.level != other.pointee.level {
      return lane.pointee.level < other.pointee.level
    }
    return lane.pointee.started < other.pointee.started
  }

  /// 0 when the note is released, 1 when a pedal holds it, 2 when its key is down.
  @_noLocks private func hold(on lane: UnsafeMutablePointer<Lane>) -> Int {
    if !lane.pointee.held.isEmpty { return 2 }
    let channel = channels + Int(lane.pointee.channel)
    if channel.pointee.isDown(Controller.sustain) { return 1 }
    return lane.pointee.isCaught && channel.pointee.isDown(Controller.sostenuto) ? 1 : 0
  }
}
