import Configuration
import FluidSynthEngine
package import LiveAudio
package import LiveMIDI
package import LocalSystem
package import NodeProtocol
package import NodeServer
import RenderCore
import Synchronization

/// A node server that publishes the ports of a ``ServerPlan`` and connects them to keyboards and to a sound device.
///
/// Realtime: no. Threads: any. The caller must call ``stop()``.
package final class PortativeServer: Sendable {
  private let observer: any ServerObserver
  private let events: NodeEventLog
  private let server: NodeServer
  let devices: LiveDevices
  let scenes: SceneControl
  /// What plays beside the keyboards.
  package let song: ServerSong
  let peaks = SharedPeaks()
  /// The knobs, keys and buttons of keyboards that control ports.
  package let controls: ServerControls
  /// Locked while ports are published, which may take seconds.
  private let state = Mutex(State())
  private let served = Mutex<[ServedPort]>([])

  private struct State {
    var soundFont: FoundSoundFont?
    var hasPublished = false
  }

  /// Claims the name of the node, accepts hosts and opens the devices. There are no ports yet.
  ///
  /// - Parameter open: Opens a sound device instead of that of the settings.
  /// - Throws: ``ServerError``; ``Failure`` or ``AudioFileError`` if nothing can be recorded.
  package init(
    _ settings: ServerSettings, in environment: ProcessEnvironment = .current,
    opening open: DeviceKeeper.Opening? = nil, observer: any ServerObserver
  ) throws {
    self.observer = observer
    let recorder = try settings.recording.map { path in
      // In JACK's graph, each port has files of its own.
      try Recorder(
        to: path, isNameFixed: settings.sound.device != .jack, sampleRate: settings.sound.rate
      ) { observer.log($0) }
    }
    let log = NodeEventLog(observer)
    events = log
    server = try NodeServer(
      name: settings.node, directories: NodeDirectories(environment),
      onEvent: { log.log($0) },
      onTakeover: NodeLauncher.hasLaunchedThisProcess
        ? nil
        : {
          observer.log(
            "ended process \($0), which a host had started as the node '\(settings.node)'")
        })
    controls = ServerControls(environment, node: settings.node, observer)
    devices = LiveDevices(
      settings, in: environment, opening: open, for: server, recordingTo: recorder, observer)
    scenes = SceneControl(
      in: environment, output: { [devices] in devices.outputs.output(named: $0) }, observer)
    // Weak: the scenes have the outputs.
    devices.outputs.onConnection { [weak scenes] in scenes?.sendSettings(toOutput: $0) }
    song = ServerSong(
      soundFont: {
        try SoundFontSearch(environment, configuration: settings.configuration)
          .find(option: settings.soundFont).path
      }, sampleRate: settings.sound.rate, on: devices.songOpening, observer)
    server.requestExtension = ServerRequests(
      scenes: scenes, controls: controls,
      takes: devices.playback.map { _ in RecordedTakes(devices.takes) }, song: song)
    controls.onScene { [scenes] choice in scenes.play(choice) }
    controls.onTransposition { [scenes] change in scenes.transpose(change) }
    controls.onSong { [song] action in song.follow(action) }
    scenes.onSong { [song] scene, next in song.follow(scene, next: next) }
    scenes.onSave { [weak self] in
      try self?.publish(
        ServerPlan(settings, in: environment, skipsBrokenPorts: true, observer: observer))
    }
  }

  /// Publishes the ports of a plan, and withdraws all others. Unchanged ports are kept, without any effect on their
  /// hosts. A port that is broken stays as it was published before.
  ///
  /// - Throws: If the ports differ from the node's manifest or cannot be played, before anything has changed; or if the
  ///   system fails.
  package func publish(_ plan: ServerPlan) throws {
    try plan.checkManifest()
    try state.withLock { state in
      if let found = plan.soundFont, found != state.soundFont {
        observer.log("SoundFont: \(found.path) (\(found.origin))")
      }
      let wanted = try plan.load()
      let scenes = try plan.loadScenes(wanted, observer)
      if !state.hasPublished {
        try devices.prepareRecording(of: wanted.map(\.plan.description.name))
        state.hasPublished = true
      }
      state.soundFont = plan.soundFont
      devices.setWiring(plan.wiring)
      devices.setNames(plan.keyboardNames)
      devices.outputs.set(plan.outputs)
      devices.setTakeLimit(plan.takeLimit)
      controls.setConfigured(plan.controls, scenes: scenes.scenes.scenes.map(\.name))
      let broken = plan.names.subtracting(wanted.map(\.plan.description.name))
      for port in served.withLock({ $0 }) where !wanted.contains(port.loaded) {
        if broken.contains(port.name) {
          observer.log("\(port.name): stays as it was")
        } else {
          withdraw(port)
        }
      }
      for port in wanted where !served.withLock({ $0.contains { $0.loaded == port } }) {
        try publish(port, defaultSoundFont: plan.soundFont?.path)
      }
      self.scenes.update(scenes.scenes, served.withLock { $0 }, zones: scenes.zones)
    }
  }

  private func publish(_ port: LoadedPort, defaultSoundFont: String?) throws {
    let published = try server.publish(
      port.plan.description, port.source, maximumHosts: .max)
    if published.description.component.type.takesMIDI { controls.add(published) }
    let devices = devices.add(published, port.localSource, port.plan)
    let path = port.plan.instrument?.soundFont
    let suffix = path == defaultSoundFont ? "" : path.map { ", with \($0)" } ?? ""
    observer.log("\(port.plan.description.name): published\(suffix)")
    served.withLock {
      $0.append(ServedPort(loaded: port, published: published, devices: devices))
    }
  }

  private func withdraw(_ port: ServedPort) {
    served.withLock { $0.removeAll { $0.published === port.published } }
    devices.remove(port)
    controls.remove(port.published)
    server.withdraw(port.published)
    observer.log("\(port.name): withdrawn")
  }

  /// Whether a host has any port, or a keyboard plays one.
  package var isInUse: Bool {
    server.report.ports.contains { $0.host != nil || !$0.players.isEmpty }
  }

  /// Logs the sound device of ports that no host uses, or why they are silent.
  package func logSoundDevice() { devices.logSoundDevice() }

  /// Removes all ports, and closes the devices. This does not wait for ``publish(_:)`` on another thread.
  package func stop() {
    song.stop()
    devices.stop()
    controls.stop()
    server.stop()
  }
}

// What a panel needs besides the control socket.
extension PortativeServer {
  /// Sets the function that shows a window for what a host plays, when the host asks for it. It is called on the thread that
  /// answers the host.
  ///
  /// - Parameter show: Receives the port and the number of the host, with which ``DescribePort`` finds its unit.
  package func onShow(_ show: @escaping @Sendable (PublishedPort, _ host: Int) -> Void) {
    events.onShow.withLock { $0 = show }
  }

  /// Returns the port of a component.
  ///
  /// - Throws: `noSuchPort` if there is none.
  package func publishedPort(
    _ component: ComponentDescription
  ) throws(ProtocolError) -> PublishedPort { try server.port(component) }

  /// The keys that are held or were struck on each port, by its name.
  package var playedKeys: [String: [PlayedKey]] {
    Dictionary(server.ports.map { ($0.description.name, $0.input.playedKeys) }) { $1 }
  }

  /// Returns the zones that keyboards play on a port, in the notation of the configuration; `nil` if there are none.
  package func zones(of component: ComponentDescription) -> String? {
    (try? scenes.zones(of: component)) ?? nil
  }

  /// Makes a unit like that which keyboards play on a port, with its settings, and without any effect on it.
  ///
  /// - Throws: `noSuchPort` if there is none, or if the unit cannot be made.
  func makePlayerUnit(
    of component: ComponentDescription, _ format: Format
  ) throws -> any RenderUnit {
    let port = try server.port(component)
    guard let served = served.withLock({ $0.first { $0.published === port } }) else {
      throw ProtocolError(.noSuchPort, "\(port.description.name) has been withdrawn")
    }
    return try port.playerSource(served.loaded.localSource).makeUnit(format)
  }

  /// Why there is no sound; `nil` while the device plays or can be opened.
  package var soundSilence: SoundSilence? { devices.silence }

  /// Records what is heard, from now on.
  ///
  /// - Parameter path: The path of the audio file. If it is in use, the first free name like it.
  /// - Throws: `Failure` or `AudioFileError` if there is no sound device, or no file can be written.
  package func beginRecording(to path: String) throws {
    guard let playback = devices.playback else {
      throw Failure(.failed, "the server has no sound device, so there is nothing to record")
    }
    try devices.recording.begin(to: path, of: playback)
  }

  /// Ends the recording. Waits until its files are complete, for at most 10 s.
  package func endRecording() { devices.playback.map(devices.recording.end) }

  package var recordingStatus: RecordingStatus { devices.recording.status }

  /// Closes the sound device and opens it again.
  package func restartSound() {
    observer.log("the sound device is restarted")
    devices.playback?.restart()
  }
}

extension PortativeServer {
  /// The ports, also while ``publish(_:)`` loads a SoundFont on another thread.
  package var publishedPorts: [PublishedPort] { server.ports }

  var statusWithoutPorts: ServerStatus {
    var status = ServerStatus(node: server.peer.name)
    status.sound = server.sound
    status.xruns = devices.xruns
    status.scene = scenes.status
    status.transposition = scenes.transposition
    status.song = song.report
    return status
  }

  /// Returns the peaks of a port on the sound device since the reader's last call; `nil` if it is not played there.
  func takePeaks(of port: PublishedPort, by reader: Int) -> StereoPeaks? {
    let played = served.withLock { served in
      served.first { $0.published === port }?.devices.played
    }
    return played?.takePeaks().map {
      peaks.take(ObjectIdentifier(port), by: reader, $0)
    }
  }

  /// Chooses the next scene of the set list for 1, or the previous one for −1. An error is logged.
  package func stepScene(_ step: Int) { scenes.play(.step(step)) }

  /// Transposes what keyboards play on all ports.
  package func transpose(_ change: Transposition) { scenes.transpose(change) }

  /// Ends everything that sounds in real time, on all ports. Errors are logged. May take a second for each host.
  package func silence() {
    song.silence()
    for port in server.ports {
      for error in port.silence() {
        observer.log(error: "\(port.description.name) cannot be silenced: \(error)")
      }
    }
    observer.log("panic: everything was silenced")
  }
}

/// Logs the events of a node server.
final class NodeEventLog: Sendable {
  private let observer: any ServerObserver
  fileprivate let onShow = Mutex<(@Sendable (PublishedPort, _ host: Int) -> Void)?>(nil)
  /// The last error that was logged as a warning, so that it is not repeated.
  private let lastError = Mutex<RealtimePriorityError?>(nil)

  init(_ observer: any ServerObserver) { self.observer = observer }

  fileprivate func log(_ event: ServerEvent) {
    observer.log(event.description)
    if case .shown(let port, let host) = event {
      onShow.withLock { $0 }?(port, host)
    }
    guard case .initialized(_, _, .refused(let error)) = event else { return }
    let isNew = lastError.withLock { last in
      defer { last = error }
      return last != error
    }
    if isNew { observer.log(warning: error.description) }
  }
}

/// The peaks of ports for several readers, each of which gets the peaks since it last asked, although reading resets
/// them.
///
/// Threads: any.
final class SharedPeaks: Sendable {
  private let state = Mutex(State())

  private struct State {
    var readers: [Int: [ObjectIdentifier: StereoPeaks]] = [:]
    var count = 0
  }

  /// Returns the number of a new reader.
  func addReader() -> Int {
    state.withLock { state in
      state.count += 1
      state.readers[state.count] = [:]
      return state.count
    }
  }

  func removeReader(_ reader: Int) { state.withLock { _ = $0.readers.removeValue(forKey: reader) } }

  /// Returns the peaks of a port since the reader's last call.
  ///
  /// - Parameter peaks: Those since the last call of any reader.
  func take(_ port: ObjectIdentifier, by reader: Int, _ peaks: StereoPeaks)
    -> StereoPeaks
  {
    state.withLock { state in
      for other in state.readers.keys where other != reader {
        let kept = state.readers[other]?[port] ?? StereoPeaks()
        state.readers[other]?[port] = kept.maximum(peaks)
      }
      let kept = state.readers[reader]?.removeValue(forKey: port)
      return kept.map { $0.maximum(peaks) } ?? peaks
    }
  }
}
