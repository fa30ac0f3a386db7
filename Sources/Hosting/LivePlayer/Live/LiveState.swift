import LiveAudio
import LocalSystem
import NodeHost
import RenderCore

/// The state of the render thread of a ``LiveHost``.
///
/// Created and freed on another thread, by ``LiveHost``.
struct LiveState {
  private let ring: LookaheadRing
  private var mixer: NodeMixerState
  private let sampleRate: Int
  private let figures: LiveFigures
  /// That of the ``RecordedSong``, which other hosts have had before.
  private let recording: UnsafeMutablePointer<SongTap>
  /// The number of frames already rendered of the current scheduled cycle.
  private(set) var renderedFrames = 0
  /// The number of frames already rendered of all scheduled cycles.
  private var scheduledFrames: Int64 = 0
  /// The song's transport at that frame.
  private(set) var transport = Transport(provides: .nothing)
  /// With it, the song plays where the transport of a graph is.
  private var graphSong: GraphSong?
  /// Not 0 while the chains are new and wait for the song to play from frame 0 or later; `nil`: they never wait.
  private let hold: SharedWord?
  /// Buffers for the transports of a part of a scheduled cycle, and for pointers to its output.
  private let points: UnsafeMutablePointer<TransportPoint>
  private let outputs: UnsafeMutablePointer<UnsafeMutablePointer<Float>>
  /// The bytes of a message that brings an instrument to the song's state.
  private let settingBytes: UnsafeMutablePointer<UInt8>

  init(
    ring: LookaheadRing, mixer: NodeMixerState, sampleRate: Int, figures: LiveFigures,
    recording: UnsafeMutablePointer<SongTap>, graphSong: GraphSong?, hold: SharedWord?,
    in memory: RenderMemory
  ) {
    self.hold = hold
    self.ring = ring
    self.mixer = mixer
    self.sampleRate = sampleRate
    self.figures = figures
    self.recording = recording
    self.graphSong = graphSong
    points = memory.reserve(ScheduledCycle.pointCapacity + 1)
    outputs = memory.reserve(2)
    settingBytes = memory.make(ShortSysEx.capacity, of: 0)
  }

  /// The song's frame after the last cycle, and whether it plays there.
  var songFrame: Int64 { transport.songFrame }
  var isSongPlaying: Bool { transport.isPlaying }

  /// Receives the events of the song, with their frames in the device's cycle.
  private var midiOutput = MIDIOutput()
  /// The first frame of the present part of a scheduled cycle in the device's cycle.
  private var partOffset = 0

  /// Renders a device cycle of any length, from one or more parts of scheduled cycles.
  @_noLocks fileprivate mutating func render(_ cycle: RenderCycle) {
    mixer.acquireChains()
    midiOutput = cycle.midiOutput
    partOffset = 0
    renderSong(cycle)
    mixer.releaseChains()
  }

  @_noLocks private mutating func renderSong(_ cycle: RenderCycle) {
    figures.publish(
      startTime: cycle.hostTime - scheduledFrames * 1_000_000_000 / Int64(sampleRate))
    var done = followGraph(cycle)
    while done < cycle.frames {
      guard let scheduled = ring.nextToRender else {
        figures.countUnderrun()
        for channel in 0..<2 {
          (cycle.output[channel] + done).update(repeating: 0, count: cycle.frames - done)
        }
        return
      }
      var count = min(cycle.frames - done, scheduled.pointee.frames - renderedFrames)
      let held = heldFrames(of: scheduled.pointee, count)
      if held > 0 { count = held }
      render(scheduled.pointee, count, at: done, of: cycle, isHeld: held > 0)
      done += count
      scheduledFrames += Int64(count)
      finish(count, of: scheduled.pointee)
    }
    leadGraph(cycle)
    figures.publish(
      lateCycles: mixer.lateCycles, song: transport.songFrame, frames: cycle.frames)
  }

  /// Ends a part of a scheduled cycle.
  @_noLocks private mutating func finish(_ count: Int, of scheduled: ScheduledCycle) {
    renderedFrames += count
    if renderedFrames < scheduled.frames { return }
    renderedFrames = 0
    ring.finishRendering()
  }

  @_noLocks private mutating func render(
    _ scheduled: ScheduledCycle, _ count: Int, at offset: Int, of cycle: RenderCycle, isHeld: Bool
  ) {
    partOffset = offset
    schedule(scheduled, count)
    let time = cycle.hostTime + Int64(offset) * 1_000_000_000 / Int64(sampleRate)
    for channel in 0..<2 { outputs[channel] = cycle.output[channel] + offset }
    mixer.render(
      frames: count, hostTime: time, transport: transports(scheduled, count), isHeld: isHeld,
      into: UnsafePointer(outputs))
    figures.updatePeaks(outputs[0], outputs[1], frames: count)
    if scheduled.isRecorded {
      recording.pointee.record(
        UnsafePointer(outputs), frames: min(count, scheduled.recordedFrames - renderedFrames))
    }
    record(scheduled, count)
  }

  /// Returns for how many frames of a part of a scheduled cycle new chains wait for the song, so that it sounds as if
  /// they had begun with it, with the same phase of reverb and chorus; 0: they are rendered.
  @_noLocks private func heldFrames(of scheduled: ScheduledCycle, _ count: Int) -> Int {
    guard let hold, hold.value != 0, let segment = scheduled.segment(at: renderedFrames) else {
      return 0
    }
    let frames = min(count, segment.frames)
    if !segment.isPlaying { return frames }
    if segment.begin < 0 { return Int(min(Int64(frames), -segment.begin)) }
    hold.store(0)
    return 0
  }

  @_noLocks private func schedule(_ scheduled: ScheduledCycle, _ count: Int) {
    synchronizeChains(scheduled)
    let due = scheduled.events(from: renderedFrames, to: renderedFrames + count)
    let part = MIDICycle(frames: count, sysEx: scheduled.sysEx)
    for event in due {
      var own = event
      own.midi.offset -= UInt32(renderedFrames)
      send(own, of: part)
    }
  }

  /// Sends an event of the song to all chains that play its port.
  @_noLocks private func send(_ event: ScheduledCycle.Event, of part: MIDICycle) {
    let message = event.message(part, settingBytes)
    var sent = message.event
    sent.offset += UInt32(partOffset)
    _ = midiOutput.pass(sent, of: message.cycle)
    for chain in 0..<mixer.chainCount
    where mixer.isSynchronized(chain) && mixer.port(ofChain: chain) == Int(event.port) {
      switch mixer.schedule(message.event, of: message.cycle, chain: chain) {
      case .full: figures.countRefusedEvent()
      // Dropped as in a file; a lost node is reported elsewhere.
      case .accepted, .tooLong, .malformed, .unknownParameter, .outOfRange, .notRunning: break
      }
    }
  }

  /// Sends the song's settings to new chains, and lets the song play them, at the beginning of a scheduled cycle.
  @_noLocks private func synchronizeChains(_ scheduled: ScheduledCycle) {
    if renderedFrames > 0 || scheduled.newChains == 0 { return }
    let cycle = MIDICycle(frames: scheduled.frames)
    for chain in 0..<min(mixer.chainCount, 64)
    where scheduled.newChains >> UInt64(chain) & 1 != 0 {
      mixer.markSynchronized(chain)
      for setting in scheduled.settings where Int(setting.port) == mixer.port(ofChain: chain) {
        let message = setting.message(cycle, settingBytes)
        let status = mixer.schedule(message.event, of: message.cycle, chain: chain)
        if status == .full { figures.countRefusedEvent() }
      }
    }
  }

  /// Returns the transports of a part of a scheduled cycle, the first at its first frame, and advances ``transport`` to
  /// its end.
  @_noLocks private mutating func transports(
    _ scheduled: ScheduledCycle, _ count: Int
  ) -> UnsafeBufferPointer<TransportPoint> {
    let rate = Double(sampleRate)
    points[0] = TransportPoint(offset: 0, transport)
    var used = 1
    var last = 0
    for point in scheduled.transport {
      let offset = Int(point.offset) - renderedFrames
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

  /// Records keyboard input with the song's frames.
  @_noLocks private mutating func record(_ scheduled: ScheduledCycle, _ count: Int) {
    if !scheduled.isRecorded { return recording.pointee.end() }
    let begin = renderedFrames
    for segment in scheduled.songSegments {
      let from = max(segment.offset, begin)
      let to = min(segment.offset + segment.frames, begin + count)
      if from >= to { continue }
      let part = SongSegment(
        offset: from - begin, frames: to - from,
        begin: segment.isPlaying ? segment.begin + Int64(from - segment.offset) : segment.begin,
        isPlaying: segment.isPlaying, isEntry: segment.isEntry && from == segment.offset)
      recording.pointee.record(part, of: mixer.received)
    }
  }
}

@_noLocks func renderLive(_ state: UnsafeMutableRawPointer, _ cycle: UnsafeRawPointer) -> Bool {
  state.assumingMemoryBound(to: LiveState.self).pointee.render(cycle.renderCycle)
  return false
}

// A song that plays where the transport of a graph is.
extension LiveState {
  /// Lets the song wait for the graph's transport, or follow it to another place.
  ///
  /// - Returns: The number of frames of the cycle in which the song does not play.
  @_noLocks private mutating func followGraph(_ cycle: RenderCycle) -> Int {
    guard var graph = graphSong, let point = cycle.transport.first,
      point.transport.provides.has(.songFrame)
    else { return 0 }
    var frames = 0
    discard(&graph)
    let margin = Int64(sampleRate / 10)
    switch graph.action(point.transport, frames: cycle.frames, head: head, margin: margin) {
    case .play(let count): frames = count
    case .catchUp(let count): catchUp(count)
    case .cue(let frame):
      graph.request(frame)
      discard(&graph)
      frames = cycle.frames
    }
    graphSong = graph
    if frames > 0 { wait(frames, cycle) }
    return frames
  }

  /// Moves the graph's transport if the song has returned to the beginning of its loop in a cycle.
  @_noLocks private mutating func leadGraph(_ cycle: RenderCycle) {
    guard let graph = graphSong, graph.isCued, let point = cycle.transport.first, let head,
      point.transport.isPlaying, head.isPlaying,
      head.begin < point.transport.songFrame
    else { return }
    graph.lead.locate(head.begin)
  }

  /// The cycle that is scheduled for the next frame; its length is not set.
  private var head: SongSegment? {
    @_noLocks get {
      guard let scheduled = ring.nextToRender else { return nil }
      return scheduled.pointee.segment(at: renderedFrames)
    }
  }

  /// Discards what was scheduled before the last request, except for the messages that set or release something.
  @_noLocks private mutating func discard(_ graph: inout GraphSong) {
    while !graph.isCued, let scheduled = ring.nextToRender {
      let isOfCourse = scheduled.pointee.course == graph.cue.course
      if isOfCourse, scheduled.pointee.segment(at: 0)?.isPlaying == true {
        graph.isCued = true
      } else {
        pass(scheduled.pointee, scheduled.pointee.frames - renderedFrames, playsNotes: false)
      }
    }
  }

  /// Passes frames that the song has missed. Their notes begin late.
  @_noLocks private mutating func catchUp(_ frames: Int) {
    var left = frames
    while left > 0, let scheduled = ring.nextToRender {
      let count = min(left, scheduled.pointee.frames - renderedFrames)
      pass(scheduled.pointee, count, playsNotes: true)
      left -= count
    }
  }

  /// Sends the messages of a part of a scheduled cycle now, without rendering it.
  @_noLocks private mutating func pass(
    _ scheduled: ScheduledCycle, _ count: Int, playsNotes: Bool
  ) {
    synchronizeChains(scheduled)
    let due = scheduled.events(from: renderedFrames, to: renderedFrames + count)
    let part = MIDICycle(frames: 1, sysEx: scheduled.sysEx)
    for event in due {
      if !playsNotes, event.midi.startsNote { continue }
      var own = event
      own.midi.offset = 0
      send(own, of: part)
    }
    _ = transports(scheduled, count)
    finish(count, of: scheduled)
  }

  /// Renders frames in which the song waits.
  @_noLocks private mutating func wait(_ frames: Int, _ cycle: RenderCycle) {
    var waiting = transport
    waiting.isPlaying = false
    var point = TransportPoint(offset: 0, waiting)
    withUnsafePointer(to: &point) { point in
      mixer.render(
        frames: frames, hostTime: cycle.hostTime,
        transport: UnsafeBufferPointer(start: point, count: 1), into: cycle.output)
    }
    figures.updatePeaks(cycle.output[0], cycle.output[1], frames: frames)
  }
}
