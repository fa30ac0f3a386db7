import ALSA
import LiveAudio
import LivePlayer
import LocalSystem
import MIDIFile
import NodeProtocol
import NodeServer
import RenderCore
import Synchronization

/// Connects keyboards to a server's ports, and plays the ports on a sound device while no host uses them.
///
/// If the sequencer or the device cannot be opened, this is logged, and the server works without it.
///
/// Threads: any.
final class LiveDevices: Sendable {
  let playback: PlaybackGroup?
  /// The music that keyboards have played.
  let takes: TakeRecorder
  let recording: ServerRecording
  private let playbackLog: PlaybackLog
  private let bridge: SequencerBridge?
  let outputs: MIDIOutputs
  private let link: LinkProgram?
  private let graph: SoundGraph?
  private let wiring = Wiring()
  private let observer: any ServerObserver
  /// Whether no sound device was wanted.
  private let isMute: Bool

  private final class Wiring: Sendable {
    let rules = Mutex(WiringRules())
  }

  init(
    _ settings: ServerSettings, in environment: ProcessEnvironment,
    opening open: DeviceKeeper.Opening?, for server: NodeServer,
    recordingTo recorder: Recorder?, _ observer: any ServerObserver
  ) {
    takes = TakeRecorder(recording: recorder.map { _ in .recording })
    recording = ServerRecording(recorder, takes, sampleRate: settings.sound.rate, observer)
    self.observer = observer
    isMute = settings.sound.device == .none
    playbackLog = PlaybackLog(of: server, observer)
    link = settings.followsLink ? Self.link(environment, observer) : nil
    graph = SoundGraph(settings.sound.device, in: environment, log: { observer.log($0) })
    outputs = MIDIOutputs(usesSequencer: settings.usesKeyboards, in: graph, observer)
    playback = Self.playback(
      settings, opening: open, in: graph, link?.memory, takes, recording, playbackLog, observer)
    bridge = settings.usesKeyboards ? Self.bridge(wiring, environment, observer) : nil
  }

  private static func playback(
    _ settings: ServerSettings, opening open: DeviceKeeper.Opening?, in graph: SoundGraph?,
    _ link: LinkMemory?, _ takes: TakeRecorder, _ recording: ServerRecording,
    _ log: PlaybackLog, _ observer: any ServerObserver
  ) -> PlaybackGroup? {
    let sound = settings.sound
    if sound.device == .none { return nil }
    if let graph {
      return PlaybackGroup { port, signals in
        // Without a recording, the port is heard nevertheless.
        var portRecorder: Recorder?
        do {
          portRecorder = try recording.recorder?.recorder(of: port, isNameFixed: false)
        } catch {
          observer.log(error: "\(port) is not recorded: \(Failure(error).message)")
        }
        return try LocalPlayback(
          inGraph: port, link: link, takes: takes, recorder: portRecorder,
          open: { () throws(SoundDeviceError) in
            try graph.open(port, signals)
          },
          report: log.addDevice())
      }
    }
    do {
      var opening: DeviceKeeper.Opening = { () throws(SoundDeviceError) in try sound.open() }
      if let open { opening = open }
      return PlaybackGroup(
        try LocalPlayback(
          link: link, takes: takes, recorder: recording.recorder, open: opening,
          report: log.addDevice()))
    } catch {
      observer.log(error: "no sound: \(error)")
      return nil
    }
  }

  private static func link(
    _ environment: ProcessEnvironment, _ observer: any ServerObserver
  ) -> LinkProgram? {
    do {
      return try LinkProgram(in: environment) { line, isError in
        if isError { observer.log(error: line) } else { observer.log(line) }
      }
    } catch {
      observer.log(error: "\(error); the ports follow no Link session")
      return nil
    }
  }

  private static func bridge(
    _ wiring: Wiring, _ environment: ProcessEnvironment, _ observer: any ServerObserver
  ) -> SequencerBridge? {
    do {
      let store = ConnectionStore(environment) { observer.log($0) }
      let policy = AutomaticWiring({ wiring.rules.withLock { $0 } }, store: store)
      return try SequencerBridge(wiring: policy) { event in
        if case .failed = event {
          observer.log(error: event.description)
        } else {
          observer.log(event.description)
        }
      }
    } catch {
      observer.log(error: "\(error); then restart the server")
      return nil
    }
  }

  /// Sets the rules for connecting keyboards. They apply from the next change of a keyboard or a port.
  func setWiring(_ rules: WiringRules) { wiring.rules.withLock { $0 = rules } }

  /// Sets the names that the user has given to keyboards.
  func setNames(_ names: KeyboardNames) {
    do {
      try bridge?.setNames(names)
    } catch {
      observer.log(error: "\(error)")
    }
  }

  /// Sets for how many seconds what keyboards play is kept; 0 to keep nothing.
  func setTakeLimit(_ seconds: Double) {
    if takes.limits.seconds != seconds { takes.limits = TakeLimits(seconds: seconds) }
  }

  /// Checks that ports with devices of their own can be recorded.
  ///
  /// - Throws: ``AudioFileError`` or `Failure` if a file exists or cannot be written.
  func prepareRecording(of ports: [String]) throws {
    guard graph != nil, let recorder = recording.recorder else { return }
    for port in ports { _ = try recorder.recorder(of: port, isNameFixed: true) }
  }

  /// Logs the sound device of ports that no host uses, or why they are silent.
  func logSoundDevice() {
    if let playback { return playback.announce() }
    if isMute { observer.log("sound: none (--audio none): ports are heard only through hosts") }
  }

  /// Adds a published port. Only a port that takes MIDI can be played by keyboards.
  ///
  /// - Parameters:
  ///   - source: Makes the units for the device, in stereo, or in a graph with the outputs of the plan.
  ///   - plan: Determines the ports in a graph.
  func add(
    _ port: PublishedPort, _ source: any RenderUnitSource, _ plan: PortPlan
  ) -> ServedPort.Devices {
    var devices = ServedPort.Devices()
    let name = port.description.name
    let type = port.description.component.type
    if let graph { port.transportControl = GraphRemoteControl(transport: graph.transport) }
    do {
      devices.played = try playback?.add(
        name, port.input, port.playerSource(source),
        GraphSignals(
          takesMIDI: type.takesMIDI, sendsMIDI: plan.unit.sendsMIDI, takesAudio: type.takesAudio,
          outputPairs: plan.outputPairs ?? ["out"]))
    } catch {
      observer.log(error: "\(name): no sound: \(error)")
    }
    guard let bridge, type.takesMIDI else { return devices }
    do {
      devices.address = try bridge.add(portNamed: name, input: port.input)
    } catch {
      observer.log(error: "\(name) cannot be played by keyboards: \(error)")
    }
    return devices
  }

  /// Removes a port that is about to be withdrawn.
  func remove(_ port: ServedPort) {
    if let address = port.devices.address {
      do {
        try bridge?.remove(address)
      } catch {
        observer.log("\(port.name): \(error)")
      }
    }
    if let played = port.devices.played { playback?.remove(played) }
  }

  /// Opens an input of the mix for the server's song; `nil`: there is no sound device.
  var songOpening: SongInput.Opening? {
    guard let playback else { return nil }
    return { () throws(SoundDeviceError) in try playback.openInput(named: SongInstrument.name) }
  }

  /// The number of xruns of the sound device since the server was started.
  var xruns: Int { playbackLog.xruns }

  /// Why there is no sound; `nil` while the device plays or can be opened.
  var silence: SoundSilence? {
    if isMute { return SoundSilence(.none) }
    return playback == nil ? SoundSilence(.unusable) : playbackLog.silence
  }

  /// Ends all playback, closes the devices, and completes recordings.
  func stop() {
    bridge?.stop()
    outputs.stop()
    playback?.stop()
    link?.stop()
    recording.stop()
  }
}

/// Executes the commands of nodes on the transport of the sound graph, which ports without a host follow.
struct GraphRemoteControl: TransportControl {
  let transport: GraphTransport
  let commands: [RemoteCommand.Kind] = [.togglePlay, .rewind, .start, .stop, .continue, .jump]

  func execute(_ command: RemoteCommand) -> Bool {
    switch command {
    case .togglePlay:
      guard let state = transport.state else { return false }
      return transport.change(state.isPlaying ? .stop : .start)
    case .start, .continue: return transport.change(.start)
    case .stop: return transport.change(.stop)
    case .rewind: return transport.change(.locate(frame: 0))
    case .jump(let beat):
      guard let state = transport.state, let rate = transport.sampleRate,
        let frame = Self.frame(ofBeat: beat, state, sampleRate: rate)
      else { return false }
      return transport.change(.locate(frame: frame))
    case .toggleRecord, .loop: return false
    }
  }

  /// Returns the frame nearest to a beat in the present tempo, which only a timebase master knows; `nil` without one.
  static func frame(ofBeat beat: Double, _ state: Transport, sampleRate: Int) -> Int64? {
    if beat <= 0 { return 0 }
    guard state.provides.contains(.beat), state.tempo > 0 else { return nil }
    let seconds = (beat - state.beat) * 60 / state.tempo
    return Int64(exactly: max(0, Double(state.songFrame) + seconds * Double(sampleRate)).rounded())
  }
}
