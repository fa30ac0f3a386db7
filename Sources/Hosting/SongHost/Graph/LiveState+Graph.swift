import LiveAudio
import NodeHost
import RenderCore

// A song that plays where the transport of a graph is.
extension LiveState {
  /// Lets the song wait for the graph's transport, or follow it to another place.
  ///
  /// - Returns: The number of frames of the cycle in which the song does not play.
  @_noLocks mutating func followGraph(_ cycle: RenderCycle) -> Int {
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
  @_noLocks mutating func leadGraph(_ cycle: RenderCycle) {
    guard let graph = graphSong, graph.isCued, let point = cycle.transport.first, let head,
      point.transport.isPlaying, head.isPlaying,
      head.begin < point.transport.songFrame
    else { return }
    graph.lead.locate(head.begin)
  }

  /// What is scheduled for the next frame; its length is not set.
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
      if !playsNotes, case .channel(let message) = event.midi.content, message.startsNote {
        continue
      }
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
