package import HostConnection
package import LiveCore
package import MIDIFile
import RenderCore

/// Plays a song through nodes so that it is heard: on a sound device, with a transport that obeys commands.
///
/// The device's thread renders the nodes within its cycle, so that keyboards which play them are heard at once; what the
/// song plays is planned a few cycles ahead, which is how much later a command takes effect.
///
/// Realtime: no; what the device calls is. Threads: any, one at a time, but for ``obey(_:)``: any.
///
/// `@unchecked Sendable`: see its parts.
package final class LiveHost: @unchecked Sendable {
  package let figures = LiveFigures()
  package let tap = AudioTap()
  package let rack: NodeRack
  let planner: SongPlanner
  private let performances = PerformanceFIFO()
  private let device: any SoundDevice
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
  package init(
    _ timeline: Timeline, rack: NodeRack, device: any SoundDevice, loop: Range<Double>,
    countIn: Int, end: Int64
  ) {
    self.rack = rack
    self.device = device
    self.countIn = countIn
    loopBeats = loop
    planner = SongPlanner(timeline, frames: Self.planFrames(device.format))
    planner.tell { $0.end = end }
    state = .allocate(capacity: 1)
    state.initialize(
      to: LiveState(
        plans: planner.ring, rack: rack.state.pointee, sampleRate: device.format.sampleRate,
        figures: figures, tap: tap, performance: performances.writer))
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
    try planner.start()
    try device.start(Renderer(state: UnsafeMutableRawPointer(state), renderLive), tell: tell)
  }

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
