import Components
import Foundation
import Glibc
import HostConnection
import MIDICore
import NodeHost
import NodeServer
import RenderCore
import Synchronization
import Testing

let pulses = ComponentDescription(
  type: .instrument, subtype: try! FourCharacterCode("puls"),
  manufacturer: try! FourCharacterCode("Test"))

func portDescription(_ component: ComponentDescription, _ name: String = "Test: Pulses")
  -> PortDescription
{
  try! PortDescription(
    component: component, name: name, version: try! SemanticVersion("1.2.3"))
}

func numbered(_ number: Int) -> ComponentDescription {
  let digits = String(number + 1000)
  return ComponentDescription(
    type: .instrument, subtype: try! FourCharacterCode(digits), manufacturer: pulses.manufacturer)
}

/// A server in this process, at a socket in a folder of its own.
final class TestServer: Sendable {
  let server: NodeServer
  let folder: String
  let events = Mutex<[String]>([])
  var socketPath: String { folder + "/test.socket" }

  init(evictionLimit: Double? = 2) throws {
    folder = NSTemporaryDirectory() + "portative-test-" + UUID().uuidString
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    let events = Events()
    server = try NodeServer(
      socketPath: folder + "/test.socket", peer: Peer(name: "test", processID: getpid()),
      evictionLimit: evictionLimit, tell: { events.add($0.description) })
    log = events
  }

  let log: Events

  final class Events: Sendable {
    private let list = Mutex<[String]>([])
    func add(_ event: String) { list.withLock { $0.append(event) } }
    var all: [String] { list.withLock { $0 } }
  }

  deinit {
    server.stop()
    try? FileManager.default.removeItem(atPath: folder)
  }

  func connect(
    _ component: ComponentDescription = pulses, from host: AudioHost = AudioHost(name: "Tester")
  ) throws -> Connection {
    try host.connect(to: component, ofNode: "test", socketPath: socketPath)
  }
}

/// A server that publishes a port of pulses.
func pulseServer(evictionLimit: Double? = 2) throws -> (TestServer, PulseSource) {
  let server = try TestServer(evictionLimit: evictionLimit)
  let source = PulseSource()
  try server.server.publish(portDescription(pulses), source)
  return (server, source)
}

/// Two channels of audio to render into.
final class StereoOutput {
  let pointers: UnsafeMutablePointer<UnsafeMutablePointer<Float>>
  let frames: Int

  init(frames: Int) {
    self.frames = frames
    pointers = .allocate(capacity: 2)
    for i in 0..<2 {
      (pointers + i).initialize(to: .allocate(capacity: frames))
      pointers[i].initialize(repeating: .nan, count: frames)
    }
  }

  deinit {
    for i in 0..<2 { pointers[i].deallocate() }
    pointers.deallocate()
  }

  var left: [Float] { Array(UnsafeBufferPointer(start: pointers[0], count: frames)) }
  var right: [Float] { Array(UnsafeBufferPointer(start: pointers[1], count: frames)) }
}

extension Connection {
  /// Renders a cycle and gives its two channels.
  func rendered(_ frames: Int) -> (status: RenderStatus, left: [Float], right: [Float]) {
    let output = StereoOutput(frames: frames)
    let status = render(frames: frames, into: output.pointers)
    return (status, output.left, output.right)
  }
}

func note(_ key: UInt8) -> ChannelMessage { ChannelMessage(.noteOn, channel: 0, key, 100) }

/// Waits until something is so; a failing test ends after ten seconds.
func eventually(_ what: () -> Bool) -> Bool {
  for _ in 0..<1000 {
    if what() { return true }
    usleep(10_000)
  }
  return false
}

/// Frames at which there is a pulse, and its height.
func pulsePositions(_ samples: [Float]) -> [Int: Float] {
  Dictionary(uniqueKeysWithValues: samples.enumerated().filter { $0.1 != 0 }.map { ($0, $1) })
}
