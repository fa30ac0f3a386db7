import Configuration
import Glibc
import LiveAudio
import LiveMIDI
import LocalSystem
import NodeProtocol
import NodeServer
import RenderCore
import ServerTestSupport
import SoundTestSupport
import Synchronization
import TestSupport
import Testing

@testable import PortativeServer

/// A server with one port, whose sound device a test drives, and a keyboard that plays it.
///
/// `@unchecked Sendable`: used by one thread at a time.
final class ScenePlayer: @unchecked Sendable {
  let user: TestUser
  let log = TestLog()
  let server: NodeServer
  let playback: LocalPlayback
  let scenes: SceneControl
  /// The MIDI output `Module`.
  let module = RecordedModule()
  private var ports: [(published: PublishedPort, played: PlayedPort)] = []
  private let opened = Mutex<ManualDevice?>(nil)
  /// The time of the next cycle, in nanoseconds.
  private var now: Int64 = 1_000_000_000_000
  /// The frames of a cycle, unless a test asks for fewer.
  static let frames = 256
  private let frames: Int

  private final class Box: Sendable { let device = Mutex<ManualDevice?>(nil) }
  private let box = Box()

  /// - Parameters:
  ///   - frames: The frames of a cycle.
  ///   - isRealTime: Whether messages act at once, or at the frame of their time.
  ///   - user: Has the folders.
  init(
    _ configuration: String, frames: Int = ScenePlayer.frames, isRealTime: Bool = true,
    for user: TestUser = TestUser()
  ) throws {
    self.user = user
    self.frames = frames
    try user.system.add("run/folder", "")
    server = try NodeServer(
      socketPath: "\(user.system.root)/run/socket", peer: Peer(name: "test", processID: 1))
    playback = try LocalPlayback(open: { [box] () throws(SoundDeviceError) in
      let device = ManualDevice(
        Format(maximumFrames: frames), isRealTime: isRealTime)
      box.device.withLock { $0 = device }
      return device
    }) { _ in }
    scenes = SceneControl(
      in: user.system.environment, output: { [module] in $0 == "Module" ? module : nil }, log)
    scenes.onSave { [weak self] in try self?.load(self?.file() ?? "") }
    try load(configuration)
  }

  deinit {
    playback.stop()
    server.stop()
  }

  func load(_ configuration: String) throws {
    let plan = try user.plan(configuration, log)
    let loaded = try plan.load()
    let all = try plan.loadScenes(loaded, log)
    if ports.isEmpty {
      for port in loaded {
        let published = try server.publish(port.plan.description, port.source)
        let played = playback.add(
          port.plan.description.name, published.input, published.playerSource(port.localSource))
        ports.append((published, played))
      }
    }
    let served = zip(ports, loaded).map { port, loaded in
      ServedPort(loaded: loaded, published: port.published, devices: .init(played: port.played))
    }
    scenes.update(all.scenes, served, zones: all.zones)
  }

  /// The text of the configuration file.
  func file() throws -> String {
    let path = "\(user.system.root)/config/portative/config.json"
    return String(decoding: try #require(try WholeFile.read(path, limit: 100_000)), as: UTF8.self)
  }

  var port: PublishedPort { ports[0].published }
  var component: ComponentDescription { port.description.component }
  var input: LiveInput { port.input }
  private var device: ManualDevice? { box.device.withLock { $0 } }

  /// Connects the keyboard, and waits until the sounds of the zones exist and the port has faded in.
  ///
  /// From then on cycles wait until the units are ready, so that no note is late on a busy machine. The units are reset,
  /// so that the sound does not depend on the number of cycles before.
  ///
  /// - Parameter waits: Whether cycles wait for units; if not, their deferred work is done beside them, as on stage.
  func connect(sounds: Int, waits: Bool = true) -> Bool {
    input.sourceNames = ["Keyboard"]
    // A device that requests no cycles would be taken for a lost one.
    let isConnected = eventually {
      _ = cycle()
      return device?.isRunning == true && input.zoneUnits.count == sounds && scenes.isPlayed
    }
    guard isConnected, let device else { return false }
    if !waits { return true }
    device.freewheeling.store(1)
    for _ in 0..<8 { _ = cycle() }
    return true
  }

  func cycle() -> [Float] {
    defer { now += Int64(frames) * 1_000_000_000 / 48_000 }
    let output = device?.cycle(frames, now: now)
    return (output?.left ?? []) + (output?.right ?? [])
  }

  /// Sends a message that acts at the beginning of the next cycle, because its time is long ago.
  func send(_ message: ChannelMessage) {
    input.send(
      .channel(message), from: LiveInput.Source(1),
      at: 1)
  }

  /// Sends a message that acts at a frame of the next cycle.
  func send(_ message: ChannelMessage, at frame: Int) {
    // In the middle of the frame, because times are rounded to nanoseconds.
    let offset = (Double(frame - frames) + 0.5) * 1e9 / 48_000
    input.send(.channel(message), from: LiveInput.Source(1), at: now + Int64(offset))
  }
}
