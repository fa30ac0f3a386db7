import NodeHost
import RenderCore
import Threads

/// All that the render thread of a song that is heard works on.
///
/// Made and freed off the thread, in ``LiveHost``.
struct LiveState {
  let plans: LookaheadRing
  var mixer: NodeMixerState
  let sampleRate: Int
  let figures: LiveFigures
  let tap: RecordBuffer
  var performance: MIDIRecordingWriter
  /// Frames of the plan in turn that are played.
  private var place = 0
  /// Where the song is at that frame.
  private var transport = Transport(provides: .nothing)
  /// Where the transports of a part of a plan are put, and where its output goes.
  private let points: UnsafeMutablePointer<TransportPoint>
  private let outputs: UnsafeMutablePointer<UnsafeMutablePointer<Float>>

  init(
    plans: LookaheadRing, mixer: NodeMixerState, sampleRate: Int, figures: LiveFigures,
    tap: RecordBuffer,
    performance: MIDIRecordingWriter
  ) {
    self.plans = plans
    self.mixer = mixer
    self.sampleRate = sampleRate
    self.figures = figures
    self.tap = tap
    self.performance = performance
    points = .allocate(capacity: ScheduledCycle.pointCapacity + 1)
    outputs = .allocate(capacity: 2)
  }

  func destroy() {
    points.deallocate()
    outputs.deallocate()
  }

  /// Where the song is after the last cycle, and whether it plays there.
  var songFrame: Int64 { transport.songFrame }
  var isSongPlaying: Bool { transport.isPlaying }

  /// Renders a cycle of the device's, of whatever length: as many parts of plans as it takes.
  @_noLocks mutating func render(_ cycle: RenderCycle) {
    mixer.enter()
    play(cycle)
    mixer.leave()
  }

  @_noLocks private mutating func play(_ cycle: RenderCycle) {
    var done = 0
    while done < cycle.frames {
      guard let plan = plans.nextToPlay else {
        figures.countUnplanned()
        for channel in 0..<2 {
          (cycle.output[channel] + done).update(repeating: 0, count: cycle.frames - done)
        }
        return
      }
      let count = min(cycle.frames - done, plan.pointee.frames - place)
      play(plan.pointee, count, at: done, of: cycle)
      done += count
      place += count
      if place == plan.pointee.frames {
        place = 0
        plans.finishPlaying()
      }
    }
    figures.publish(
      lateCycles: mixer.lateCycles, song: transport.songFrame, frames: cycle.frames)
  }

  @_noLocks private mutating func play(
    _ plan: ScheduledCycle, _ count: Int, at offset: Int, of cycle: RenderCycle
  ) {
    schedule(plan, count)
    let time = cycle.hostTime + Int64(offset) * 1_000_000_000 / Int64(sampleRate)
    for channel in 0..<2 { outputs[channel] = cycle.output[channel] + offset }
    mixer.render(
      frames: count, hostTime: time, transport: transports(plan, count),
      into: UnsafePointer(outputs))
    figures.follow(outputs[0], outputs[1], frames: count)
    if plan.isRecorded {
      tap.write(outputs[0], outputs[1], frames: max(0, min(count, plan.recordedFrames - place)))
    }
    record(plan, count)
  }

  @_noLocks private func schedule(_ plan: ScheduledCycle, _ count: Int) {
    if place == 0, plan.freshChains != 0 { refresh(plan) }
    let due = plan.events(from: place, to: place + count)
    let part = MIDICycle(frames: count, events: due, sysEx: plan.sysEx)
    for event in due {
      let own = MIDIEvent(offset: event.offset - UInt32(place), content: event.content)
      for chain in 0..<mixer.chainCount where mixer.isFollowing(chain) {
        switch mixer.schedule(own, of: part, chain: chain) {
        case .full: figures.countRefused()
        // Left out as in a file; or the node is gone, which is told elsewhere.
        case .accepted, .tooLong, .malformed, .unknownParameter, .outOfRange, .notRunning: break
        }
      }
    }
  }

  /// Tells fresh chains what the song has set, and lets it play them.
  @_noLocks private func refresh(_ plan: ScheduledCycle) {
    let none = MIDICycle(
      frames: plan.frames, events: UnsafeBufferPointer(start: nil, count: 0), sysEx: plan.sysEx)
    for chain in 0..<min(mixer.chainCount, 64)
    where plan.freshChains >> UInt64(chain) & 1 != 0 {
      mixer.follow(chain)
      for message in plan.freshSettings {
        let status = mixer.schedule(
          MIDIEvent(offset: 0, content: .channel(message)), of: none, chain: chain)
        if status == .full { figures.countRefused() }
      }
    }
  }

  /// The transports of a part of a plan, the first at its first frame; and goes on to its end.
  @_noLocks private mutating func transports(
    _ plan: ScheduledCycle, _ count: Int
  ) -> UnsafeBufferPointer<TransportPoint> {
    let rate = Double(sampleRate)
    points[0] = TransportPoint(offset: 0, transport)
    var used = 1
    var last = 0
    for point in plan.transport {
      let offset = Int(point.offset) - place
      if offset < 0 || offset >= count { continue }
      let index = offset == 0 ? 0 : used
      points[index] = TransportPoint(offset: UInt32(offset), point.transport)
      used = max(used, index + 1)
      transport = point.transport
      last = offset
    }
    transport = transport.after(frames: count - last, sampleRate: rate)
    return UnsafeBufferPointer(start: points, count: used)
  }

  /// What keyboards played, with the song's frames.
  @_noLocks private mutating func record(_ plan: ScheduledCycle, _ count: Int) {
    if !plan.isRecorded { return performance.end() }
    let begin = place
    for stretch in plan.songStretches {
      let from = max(stretch.offset, begin)
      let to = min(stretch.offset + stretch.frames, begin + count)
      if from >= to { continue }
      var part = SongSegment(
        offset: from - begin, frames: to - from,
        begin: stretch.isPlaying ? stretch.begin + Int64(from - stretch.offset) : stretch.begin,
        isPlaying: stretch.isPlaying, isEntry: stretch.isEntry && from == stretch.offset)
      write(&part)
    }
  }

  /// One stretch of the part that was rendered last.
  @_noLocks private mutating func write(_ stretch: inout SongSegment) {
    let received = mixer.received
    var first = 0
    while first < received.events.count, Int(received.events[first].offset) < stretch.offset {
      first += 1
    }
    var last = first
    while last < received.events.count,
      Int(received.events[last].offset) < stretch.offset + stretch.frames
    { last += 1 }
    let part = MIDICycle(
      frames: received.frames,
      events: UnsafeBufferPointer(rebasing: received.events[first..<last]), sysEx: received.sysEx)
    withUnsafeMutablePointer(to: &stretch) {
      performance.record(part, UnsafeBufferPointer(start: $0, count: 1))
    }
  }
}

@_noLocks @c func renderLive(_ state: UnsafeMutableRawPointer, _ cycle: UnsafeRawPointer) -> Bool {
  state.assumingMemoryBound(to: LiveState.self).pointee.render(cycle.renderCycle)
  return false
}
