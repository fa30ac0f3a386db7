import ALSAMIDI
import LiveAudio
import NodeDirectory
import NodeServer
import RenderCore
import SoundDevices
import Synchronization

/// Connects keyboards to a server's ports, and plays the ports on a sound device while no host uses them.
///
/// If the sequencer or the device cannot be opened, this is reported, and the server works without it.
///
/// Threads: any.
final class LivePlaying: Sendable {
  private let standalone: LocalPlayback?
  private let bridge: SequencerBridge?
  private let log: ServerLog
  private let isMute: Bool
  private let addresses = Mutex<[ObjectIdentifier: PortAddress]>([:])

  init(
    _ options: ServeOptions, for server: NodeServer, rules: WiringRulesBox, log: ServerLog
  ) {
    self.log = log
    isMute = options.sound.device == .none
    standalone = Self.standalone(options.sound, for: server, log)
    bridge = options.keyboards == .alsa ? Self.bridge(rules, log) : nil
  }

  private static func standalone(
    _ sound: SoundChoice, for server: NodeServer, _ log: ServerLog
  ) -> LocalPlayback? {
    if sound.device == .none { return nil }
    do {
      return try LocalPlayback(open: { () throws(SoundDeviceError) in try sound.open() }) { event in
        switch event {
        case .playing(let summary): server.sound = summary
        case .ready, .closed, .silent, .device(.lost): server.sound = nil
        case .device, .failed: break
        }
        switch event {
        case .silent, .failed, .device(.lost): Terminal.complain(event.description)
        case .playing, .ready, .closed, .device: log.say(event.description)
        }
      }
    } catch {
      Terminal.complain("no sound: \(error)")
      return nil
    }
  }

  private static func bridge(_ rules: WiringRulesBox, _ log: ServerLog) -> SequencerBridge? {
    do throws(SequencerError) {
      let store = ConnectionStore { log.say($0) }
      return try SequencerBridge(wiring: AutomaticWiring({ rules.current }, store: store)) {
        if case .failed = $0 { Terminal.complain($0.description) } else { log.say($0.description) }
      }
    } catch {
      Terminal.complain("\(error); after that, start the server again")
      return nil
    }
  }

  /// Reports the sound device of ports that no host uses, or why they are silent.
  func tellSound() {
    if let standalone { return standalone.announce() }
    if isMute {
      log.say("sound: none, for --audio none was given: ports sound only where a host plays them")
    }
  }

  /// Adds a published port. Only a port that takes MIDI can be played.
  func add(_ port: PublishedPort, _ source: any RenderUnitSource) {
    let name = port.description.name
    let type = port.description.component.type
    guard type.takesMIDI else { return }
    standalone?.add(name, port.input, source, takesAudio: type.takesAudio)
    guard let bridge else { return }
    do throws(SequencerError) {
      let address = try bridge.add(portNamed: name, input: port.input)
      addresses.withLock { $0[ObjectIdentifier(port)] = address }
    } catch {
      Terminal.complain("\(name) cannot be played by keyboards: \(error)")
    }
  }

  /// Removes a port that is about to be withdrawn.
  func remove(_ port: PublishedPort) {
    if let address = addresses.withLock({ $0.removeValue(forKey: ObjectIdentifier(port)) }) {
      do throws(SequencerError) {
        try bridge?.remove(address)
      } catch {
        log.say("\(port.description.name): \(error)")
      }
    }
    standalone?.remove(port.input)
  }

  /// Stops all playback, and closes the device.
  func stop() {
    bridge?.stop()
    standalone?.stop()
  }
}
