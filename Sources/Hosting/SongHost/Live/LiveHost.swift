package import LiveAudio
package import MIDIFile
package import NodeHost
package import NodeProtocol
import RenderCore

/// Plays a song through nodes so that it is heard: on a sound device, with a transport that obeys commands.
///
/// The device's thread renders the nodes within its cycle, so that keyboards which play them are heard at once; what the
/// song plays is planned ahead, in plans of ``planFrames(_:)`` frames each, of which four are made at a time.
///
/// A command acts on the first frame of the plan that is made next. Counted from ``start(at:tell:)`` on, that is a
/// multiple of the plan's length, and at most five such lengths after the frame that is rendered at the moment of
/// ``obey(_:)``. A jump sends the song there to the frame nearest to its beat, so in a recording, which begins with a
/// plan as well, the new place begins on a multiple of the plan's length, too.
///
/// A chain whose node is lost can be shut, and opened again, and the device be exchanged, while the song goes on.
///
/// Realtime: no; what the device calls is. Threads: any, one at a time, but for ``obey(_:)``: any.
///
/// `@unchecked Sendable`: see its parts.
package final class LiveHost: @unchecked Sendable {
  package let figures = LiveFigures()
  package let tap = RecordBuffer()
  package let mixer: NodeMixer
  let planner: LookaheadScheduler
  private let performances = MIDIRecordingFIFO()
  private var device: any SoundDevice
  private let state: UnsafeMutablePointer<LiveState>
  private let loopBeats: Range<Double>
  private let countIn: Int

  /// - Parameters:
  ///   - timeline: At the device's rate.
  ///   - rack: For the device's rate and longest cycle.
  ///   - device: Opened, for two channels, and not started.
  ///   - loop: What a command to loop loops, in beats.
  ///   - countIn: Bars before the song's beginning.
  ///   - end: The frame at which the song stops by itself.
  ///   - firstTake: The number of the first take of what keyboards play.
  package init(
    _ timeline: Timeline, mixer: NodeMixer, device: any SoundDevice, loop: Range<Double>,
    countIn: Int, end: Int64, firstTake: UInt32 = 0
  ) {
    self.mixer = mixer
    self.device = device
    self.countIn = countIn
    loopBeats = loop
    planner = LookaheadScheduler(timeline, frames: Self.planFrames(device.format))
    planner.tell { $0.end = end }
    state = .allocate(capacity: 1)
    state.initialize(
      to: LiveState(
        plans: planner.ring, mixer: mixer.state.pointee, sampleRate: device.format.sampleRate,
        figures: figures, tap: tap, performance: performances.writer(firstTake: firstTake)))
  }

  /// Whole cycles of a device, and a two-hundredth of a second at least: an ordinary thread makes plans.
  static func planFrames(_ format: Format) -> Int {
    let shortest = (format.sampleRate + 199) / 200
    return (shortest + format.maximumFrames - 1) / format.maximumFrames * format.maximumFrames
  }

  /// To be called when it was stopped.
  deinit {
    state.pointee.destroy()
    state.deallocate()
    figures.destroy()
    tap.destroy()
  }

  /// Begins. ``stop()`` must follow, also where this fails.
  ///
  /// - Parameters:
  ///   - frame: The song's, to begin with; counted in is only from 0 on.
  ///   - tell: What happens at the device, on threads of its own.
  package func start(
    at frame: Int64 = 0, tell: @escaping @Sendable (SoundDeviceEvent) -> Void
  ) throws {
    planner.tell { song in
      song.start(countIn: self.countIn)
      if frame > 0 { song.jump(toFrame: frame) }
    }
    try start(tell)
  }

  /// The same, where another host of the song has stopped.
  package func start(
    resuming place: SongPlace, tell: @escaping @Sendable (SoundDeviceEvent) -> Void
  ) throws {
    planner.tell { song in
      song.jump(toFrame: place.frame)
      song.isRecording = place.isRecording
      if place.isPlaying { song.continue() }
      if place.isLooping {
        try? song.setLoop(from: self.loopBeats.lowerBound, to: self.loopBeats.upperBound)
      }
    }
    try start(tell)
  }

  private func start(_ tell: @escaping @Sendable (SoundDeviceEvent) -> Void) throws {
    try planner.start()
    try device.start(renderer, tell: tell)
  }

  private var renderer: Renderer { Renderer(state: UnsafeMutableRawPointer(state), renderLive) }

  /// Goes on with another device, of the same rate and of cycles that are no longer. The one before is stopped.
  package func change(
    to device: any SoundDevice, tell: @escaping @Sendable (SoundDeviceEvent) -> Void
  ) throws(SoundDeviceError) {
    self.device.stop()
    self.device = device
    try device.start(renderer, tell: tell)
  }

  /// Ends, for another host to go on where this one was, on the very frame. ``stop()`` need not follow.
  package func suspend() -> SongPlace {
    device.stop()
    planner.stop()
    state.pointee.performance.end()
    let song = planner.transport
    return SongPlace(
      frame: state.pointee.songFrame, isPlaying: state.pointee.isSongPlaying,
      isRecording: song.isRecording, isLooping: song.loop != nil)
  }

  /// The number that the next take of what keyboards play would have. To be called when it has ended.
  package var nextTake: UInt32 { state.pointee.performance.take }

  /// Keeps the render thread out of a chain, which is silent from then on.
  package func shut(chain: Int) { mixer.shut(chain) }

  /// Lets the song play a chain again, whose connections have been initialized anew.
  package func open(chain: Int, with connections: [Connection]) {
    mixer.open(chain, with: connections)
    planner.refresh(chain: chain)
  }

  /// How many frames are recorded after the song has stopped by itself; `nil`: all.
  package func setRecordedTail(_ frames: Int?) { planner.setRecordedTail(frames) }

  /// Ends. Nodes end the notes of a host that leaves.
  package func stop() {
    planner.tell { $0.stop() }
    device.stop()
    planner.stop()
    state.pointee.performance.end()
  }

  /// Moves the transport.
  ///
  /// - Returns: Whether it could be done.
  @discardableResult package func obey(_ command: RemoteCommand) -> Bool {
    planner.tell { song in
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
        return (try? song.setLoop(from: self.loopBeats.lowerBound, to: self.loopBeats.upperBound))
          != nil
      }
      return true
    }
  }

  /// Loops ``loopBeats`` from now on.
  ///
  /// - Throws: ``LoopError``.
  package func loop() throws(LoopError) {
    let beats = loopBeats
    let failure = planner.tell { song -> LoopError? in
      do throws(LoopError) {
        try song.setLoop(from: beats.lowerBound, to: beats.upperBound)
        return nil
      } catch {
        return error
      }
    }
    if let failure { throw failure }
  }

  /// Frames from a cycle of the device's until it is heard, as it knows now.
  package var deviceLatency: Int { device.latency }

  /// Where the song is: as planned, some cycles ahead of what is heard.
  package var song: SongTransport { planner.transport }
  /// Events that were too many for one cycle, and came later.
  package var delayedEvents: Int { planner.delayedEvents }

  /// Whether something is recorded, up to the last frame of it being heard.
  package var isRecording: Bool { planner.isRecording }

  /// Records nothing more, from the next plan on.
  package func endRecording() { planner.tell { $0.isRecording = false } }

  /// Forgets what was recorded and not taken out.
  package func discardRecorded() {
    _ = tap.drain()
    var forgotten = Performance()
    drain(into: &forgotten)
  }

  /// Adds what keyboards have played since the last call.
  package func drain(into performance: inout Performance) { performance.drain(performances) }
}
