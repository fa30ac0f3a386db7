// Rendering of a cycle's lanes on several threads.
extension ExactState {
  /// Renders all lanes to the end of the cycle.
  @_noLocks func renderAllLanes(frames: Int) {
    if let helpers {
      let laneCount = shareLanes(helpers, frames: frames)
      if laneCount > 0 { return render(laneCount, with: helpers, frames: frames) }
    }
    for group in 0..<groupCount { render(group: group, frames: frames) }
  }

  /// Publishes the lanes that have blocks to render in the cycle, if there is enough work for a helper.
  ///
  /// - Returns: The number of lanes published; 0: none.
  @_noLocks private func shareLanes(
    _ helpers: UnsafeMutablePointer<Helpers>, frames: Int
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
}
