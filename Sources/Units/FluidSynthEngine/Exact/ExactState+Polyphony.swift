// Selection of the lane for a note, and note stealing.
extension ExactState {
  /// Keeps the number of notes below the polyphony limit, by ending one if necessary.
  @_noLocks mutating func limitPolyphony(at frame: Int64) {
    guard activeLanes >= polyphony else { return }
    // Detects the notes that have ended, and updates the levels for the choice of the victim.
    renderAll(until: frame)
    guard activeLanes >= polyphony, let victim = victim() else { return }
    send(.steal, to: victim, at: frame)
    victim.pointee.isFadingOut = true
    victim.pointee.hold = .nothing
    log?.end(victim.pointee.note, .stolen, at: frame)
    statistics.stolenNotes += 1
    if soundingLanes >= polyphony + Self.maximumFadingLanes { cutOldestFading(at: frame) }
  }

  /// The maximum number of notes that fade out in addition to the sounding ones. Beyond it the oldest is
  /// cut, so that the number of lanes is bounded.
  private static var maximumFadingLanes: Int { @_noLocks get { 64 } }

  private var soundingLanes: Int { @_noLocks get { countLanes { !$0.pointee.isCut } } }

  /// The number of sounding lanes that do not fade out.
  private var activeLanes: Int { @_noLocks get { countLanes { !$0.pointee.isFadingOut } } }

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
      guard lane.pointee.isFadingOut, !lane.pointee.isCut else { return }
      if let current = oldest, current.pointee.started <= lane.pointee.started { return }
      oldest = lane
    }
    guard let oldest else { return }
    send(.cut, to: oldest, at: frame)
    oldest.pointee.isCut = true
  }

  /// Removes an idle lane from its group: from the group with the least load, and if possible the lane that
  /// last played this channel, because it needs the fewest updates.
  ///
  /// - Parameter preferred: The group to use if it has an idle lane; −1 for any.
  /// - Returns: The index of the lane; −1 if no lane is idle.
  @_noLocks mutating func dequeueLane(for channel: UInt8, preferring preferred: Int32) -> Int32 {
    var best = Int(preferred)
    if best < 0 || groups[best].idleCount == 0 { best = leastLoadedGroup }
    guard best >= 0 else { return -1 }
    let group = groups + best
    let last = group.pointee.idleCount - 1
    var choice = last
    for i in stride(from: last, through: 0, by: -1) {
      let lane = lanes + Int(group.pointee.idle[i])
      if lane.pointee.channel == channel {
        choice = i
        break
      }
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

  /// The note to steal: a released note before one held by a pedal, and that before one whose key is down;
  /// among equals the quietest, then the oldest.
  @_noLocks private func victim() -> UnsafeMutablePointer<Lane>? {
    var best: UnsafeMutablePointer<Lane>?
    forEachLane { lane in
      guard !lane.pointee.isFadingOut else { return }
      if let current = best, !isPreferredVictim(lane, than: current) { return }
      best = lane
    }
    return best
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
