package import LiveAudio
import LocalSystem
package import MIDIFile
package import NodeHost
package import NodeProtocol
import RenderCore

/// Plays a song through nodes on a sound device, with a transport that executes commands.
///
/// The device's thread renders the nodes within its cycle, so that keyboards are played with minimal latency. The song
/// is scheduled ahead in cycles of ``scheduledFrames(_:)`` frames each, of which four are prepared at a time.
///
/// A command takes effect at the first frame of the next scheduled cycle. Counted from ``start(at:report:)``, this is a
/// multiple of that cycle's length, and at most five lengths after the frame rendered at the time of ``execute(_:)``.
/// A jump goes to the frame nearest to its beat. A recording also starts with a scheduled cycle, so in a recording the
/// new position starts at a multiple of the length, too.
///
/// While the song continues, a chain whose node is lost can be closed and opened again, and the device can be replaced.
///
/// Realtime: no, except the device's callback. Threads: any, one at a time; ``execute(_:)``: any.
///
/// `@unchecked Sendable`: see its parts.
package final class LiveHost: @unchecked Sendable {
  package let figures = LiveFigures()
  /// The recording that the transport controls.
  package let recording: RecordedSong
  package let mixer: NodeMixer
  let scheduler: LookaheadScheduler
  private var device: any SoundDevice
  /// The frames that earlier devices have requested.
  private var earlierFrames: Int64 = 0
  private let memory = RenderMemory()
  private let state: UnsafeMutablePointer<LiveState>
  private let loopBeats: Range<Double>
  private let countIn: Int
  /// Not 0 while new chains wait for the song; `nil`: they never wait.
  private let hold: SharedWord?
  /// With it, the song leads the transport of the device's graph, and plays where that is.
  private let graphSong: GraphSong?
  /// Whether playback is over when the song has ended.
  let endsAlone: Bool

  /// Creates a host.
  ///
  /// - Parameters:
  ///   - timeline: At the device's rate.
  ///   - mixer: For the device's rate and longest cycle.
  ///   - device: Opened with two channels, not started.
  ///   - loop: The range of the loop command, in beats.
  ///   - countIn: Bars before the start of the song.
  ///   - end: The frame at which the song stops by itself.
  ///   - recording: Receives what is recorded; another host may have used it before.
  ///   - link: A Link session whose beats the song follows.
  ///   - timebase: How the song leads the transport of the device, if that is a graph's.
  ///   - waits: Whether new chains wait for the song, so that it sounds as if they had begun with it.
  package init(
    _ timeline: Timeline, mixer: NodeMixer, device: any SoundDevice, loop: Range<Double>,
    countIn: Int, end: Int64, recording: RecordedSong, link: LinkMemory? = nil,
    timebase: Timebase? = nil, waits: Bool = false
  ) {
    self.mixer = mixer
    endsAlone = !waits
    self.recording = recording
    graphSong = timebase.map { timebase in
      let bars = BarTable(timeline.beatMap)
      return GraphSong(TransportLead(bars, takesOver: timebase == .take), CueRequest())
    }
    self.device = device
    self.countIn = countIn
    loopBeats = loop
    scheduler = LookaheadScheduler(
      timeline, frames: Self.scheduledFrames(device.format), link: link, cue: graphSong?.cue,
      figures: figures)
    scheduler.update { $0.end = end }
    let memory = memory
    hold =
      waits
      ? {
        let words = SharedWords(count: 1)
        memory.onRelease(words.destroy)
        words[0].store(1)
        return words[0]
      }() : nil
    state = memory.make(
      LiveState(
        ring: scheduler.ring, mixer: mixer.state.pointee, sampleRate: device.format.sampleRate,
        figures: figures, recording: recording.tap, graphSong: graphSong,
        hold: hold, in: memory))
  }

  /// Returns the length of a scheduled cycle: whole device cycles, and at least 5 ms, because an ordinary thread does
  /// the scheduling.
  static func scheduledFrames(_ format: Format) -> Int {
    let shortest = (format.sampleRate + 199) / 200
    return (shortest + format.maximumFrames - 1) / format.maximumFrames * format.maximumFrames
  }

  /// Must be stopped before.
  deinit {
    figures.destroy()
    graphSong?.lead.destroy()
    graphSong?.cue.destroy()
  }

  /// Starts the device and the song. ``stop()`` must be called afterwards, even on failure.
  ///
  /// - Parameters:
  ///   - frame: The frame of the song to start with. There is a count-in only at 0.
  ///   - report: Receives the device's events, on the device's threads.
  package func start(
    at frame: Int64 = 0, report: @escaping @Sendable (SoundDeviceEvent) -> Void
  ) throws {
    scheduler.update { song in
      song.start(countIn: self.countIn)
      if frame > 0 { song.jump(toFrame: frame) }
    }
    try start(report)
    moveGraph(to: frame, isPlaying: true)
  }

  /// Starts the device, and continues the song where another host has stopped.
  package func start(
    resuming saved: SongPosition, report: @escaping @Sendable (SoundDeviceEvent) -> Void
  ) throws {
    scheduler.update { song in
      song.jump(toFrame: saved.frame)
      song.isRecording = saved.isRecording
      if saved.isPlaying { song.continue() }
      if saved.isLooping { try? setLoop(of: &song) }
    }
    try start(report)
    moveGraph(to: saved.frame, isPlaying: saved.isPlaying)
  }

  private func start(_ report: @escaping @Sendable (SoundDeviceEvent) -> Void) throws {
    try scheduler.start()
    if let graphSong { graph?.follow(graphSong.lead) }
    try device.start(renderer, report: report)
  }

  private var renderer: Renderer { Renderer(state: UnsafeMutableRawPointer(state), renderLive) }

  /// Stops the present device and continues with another one of the same rate, whose cycles must not be longer.
  package func changeDevice(
    to device: any SoundDevice, report: @escaping @Sendable (SoundDeviceEvent) -> Void
  ) throws(SoundDeviceError) {
    self.device.stop()
    earlierFrames = figures.renderedFrames
    self.device = device
    let (frame, isPlaying) = (state.pointee.songFrame, state.pointee.isSongPlaying)
    if let graphSong { graph?.follow(graphSong.lead) }
    try device.start(renderer, report: report)
    moveGraph(to: frame, isPlaying: isPlaying)
  }

  /// Stops, and returns the exact position for another host to continue. ``stop()`` need not be called.
  package func suspend() -> SongPosition {
    device.stop()
    scheduler.stop()
    recording.tap.pointee.endTake()
    let song = scheduler.transport
    return SongPosition(
      frame: state.pointee.songFrame, isPlaying: state.pointee.isSongPlaying,
      isRecording: song.isRecording, isLooping: song.loop != nil)
  }

  /// Continues in another version of the song, with the same ports and System Exclusive messages. Notes that it does not hold
  /// are released, all others go on.
  ///
  /// - Parameter end: The frame at which that version stops by itself.
  package func change(to timeline: Timeline, end: Int64) {
    scheduler.change(to: timeline, end: end)
  }

  /// Closes a chain to the render thread. The chain is silent from then on.
  package func close(chain: Int) { mixer.close(chain) }

  /// Opens a chain again whose connections have been initialized again.
  package func open(chain: Int, with connections: [Connection]) {
    mixer.open(chain, with: connections)
    scheduler.refresh(chain: chain)
  }

  /// Whether the chains are new and wait for the song.
  package var isHeld: Bool { hold.map { $0.value != 0 } ?? false }

  /// Gives a stopped song new instruments, which wait for it.
  ///
  /// - Parameter renew: Initializes the connections of a chain, which is closed, again; `nil` if they cannot be. The
  ///   chain is then left closed.
  package func renew(_ renew: (Int, [Connection]) -> [Connection]?) {
    for chain in mixer.chains.indices { close(chain: chain) }
    scheduler.renew()
    hold?.store(1)
    for chain in mixer.chains.indices {
      if let connections = renew(chain, mixer.chains[chain]) {
        open(chain: chain, with: connections)
      }
    }
  }

  /// Sets the number of frames recorded after the song has stopped by itself; `nil` for all.
  package func setRecordedTail(_ frames: Int?) { scheduler.setRecordedTail(frames) }

  /// Stops the song and the device. Nodes release the notes of a host that disconnects.
  package func stop() {
    _ = graph?.change(.stop)
    scheduler.update { $0.stop() }
    device.stop()
    scheduler.stop()
    recording.tap.pointee.endTake()
  }

  /// Executes a transport command.
  ///
  /// - Returns: Whether the command is possible.
  @discardableResult package func execute(_ command: RemoteCommand) -> Bool {
    if let graph, let isExecuted = execute(command, in: graph) { return isExecuted }
    return scheduler.update { song in
      switch command {
      case .togglePlay: song.isPlaying ? song.stop() : song.continue()
      case .toggleRecord: song.isRecording.toggle()
      case .rewind: song.rewind()
      case .start: song.start(countIn: self.countIn)
      case .stop: song.stop()
      case .continue: song.continue()
      case .jump(let beat):
        guard beat.isFinite, abs(beat) < 1e9 else { return false }
        song.jump(toBeat: beat)
      case .loop(let isOn):
        guard isOn else {
          song.endLoop()
          return true
        }
        return (try? setLoop(of: &song)) != nil
      }
      return true
    }
  }

  /// Plays from the start, unless the song leads the transport of a graph.
  ///
  /// - Parameter countIn: The number of bars before the song.
  package func play(countIn: Int) { scheduler.update { $0.start(countIn: countIn) } }

  /// Starts looping a range of beats.
  ///
  /// - Throws: ``LoopError``.
  package func loop(_ beats: Range<Double>) throws(LoopError) {
    try scheduler.update { song throws(LoopError) in
      try song.setLoop(from: beats.lowerBound, to: beats.upperBound)
    }
  }

  /// Starts looping ``loopBeats``.
  ///
  /// - Throws: ``LoopError``.
  package func loop() throws(LoopError) {
    try scheduler.update { song throws(LoopError) in try setLoop(of: &song) }
  }

  private func setLoop(of song: inout SongTransport) throws(LoopError) {
    try song.setLoop(from: loopBeats.lowerBound, to: loopBeats.upperBound)
  }

  /// The number of frames that the present device has requested.
  package var deviceFrames: Int64 { figures.renderedFrames - earlierFrames }

  /// Frames from the start of a device cycle until it is heard, as the device reports now.
  package var deviceLatency: Int { device.latency }

  /// The transport of the song as scheduled, a few cycles ahead of what is heard.
  package var song: SongTransport {
    var song = scheduler.transport
    if graph?.transport?.isPlaying == false { song.stop() }
    return song
  }
  /// The number of events that exceeded the capacity of a cycle and were delayed.
  package var delayedEvents: Int { scheduler.delayedEvents }

  /// Whether recording is on, until its last frame has been rendered.
  package var isRecording: Bool { scheduler.isRecording }

  /// Ends recording with the next scheduled cycle.
  package func endRecording() { scheduler.update { $0.isRecording = false } }
}

/// How a song leads the transport of a graph.
package enum Timebase: String, Sendable {
  /// It gives bars and tempo unless another program does.
  case free
  /// It replaces a program that gives bars and tempo.
  case take
}

// The transport of a graph, which a song leads and follows: commands act on it, and the song follows.
extension LiveHost {
  /// The device, if its graph's transport is led.
  private var graph: (any GraphDevice)? { graphSong == nil ? nil : device as? any GraphDevice }

  /// Who gives bars and tempo to the graph.
  package var timebase: TransportLead.Timebase { graphSong?.lead.timebase ?? .nobody }

  private func moveGraph(to frame: Int64, isPlaying: Bool) {
    guard let graph else { return }
    _ = graph.change(.locate(frame: max(0, frame)))
    if isPlaying { _ = graph.change(.start) }
  }

  /// Executes a command that concerns the graph's transport.
  ///
  /// - Returns: Whether the command is possible; `nil` if it concerns only the song.
  private func execute(_ command: RemoteCommand, in graph: any GraphDevice) -> Bool? {
    switch command {
    case .togglePlay:
      graph.change(graph.transport?.isPlaying == true ? .stop : .start)
    case .start:
      graph.change(.locate(frame: 0)) && graph.change(.start)
    case .continue: graph.change(.start)
    case .stop: graph.change(.stop)
    case .rewind: graph.change(.locate(frame: 0))
    case .jump(let beat):
      beat.isFinite && abs(beat) < 1e9
        && graph.change(.locate(frame: max(0, scheduler.transport.map.frame(ofBeat: beat))))
    case .toggleRecord, .loop: nil
    }
  }
}
