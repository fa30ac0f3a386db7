import ALSA
import LiveAudio
import LiveMIDI
import SoundTestSupport
import Synchronization
import Testing

/// A bridge with one port whose input is recorded.
final class TestBridge {
  let bridge: SequencerBridge
  let recorder = InputRecorder()
  let port: PortAddress
  let log: BridgeLog

  /// - Parameter clients: The names of clients to connect.
  init(wired clients: Set<String> = []) throws {
    let log = BridgeLog()
    self.log = log
    bridge = try SequencerBridge(
      clientName: "Test bridge", wiring: WiringByName(clients: clients, log: log)
    ) { log.add($0) }
    port = try bridge.add(portNamed: "Organ", input: recorder.input)
  }

  deinit { bridge.stop() }

  /// Waits for `count` events and returns them.
  func receive(_ count: Int) throws -> [InputRecorder.Event] {
    var events: [InputRecorder.Event] = []
    return try wait {
      events += recorder.drain()
      return events.count >= count ? events : nil
    }
  }

  /// Waits until the bridge has reported exactly these events; it reports after it has acted.
  func tells(_ events: [BridgeEvent]) {
    _ = try? wait { log.told == events ? () : nil }
    #expect(log.told == events)
  }

  func waitUntil(hasSources: Bool) throws {
    try wait { recorder.input.hasSources == hasSources ? () : nil }
  }
}

/// Records the events that a bridge reports and the changes that its policy receives.
final class BridgeLog: Sendable {
  private let events = Mutex<[BridgeEvent]>([])
  private let happenings = Mutex<[PortChange]>([])
  /// While it is locked, the bridge blocks.
  let obstacle = Mutex(())

  var told: [BridgeEvent] { events.withLock { $0 } }
  var asked: [PortChange] { happenings.withLock { $0 } }

  func add(_ event: BridgeEvent) { events.withLock { $0.append(event) } }

  func add(_ happening: PortChange) {
    happenings.withLock { $0.append(happening) }
    obstacle.withLock { _ in }
  }
}

/// Connects clients by name.
private struct WiringByName: WiringPolicy {
  let clients: Set<String>
  let log: BridgeLog
  private var receivers: [PortAddress] = []

  init(clients: Set<String>, log: BridgeLog) {
    self.clients = clients
    self.log = log
  }

  mutating func react(to happening: PortChange) -> [WiringAction] {
    log.add(happening)
    switch happening {
    case .ownPortAdded(let port): receivers.append(port.address)
    case .appeared(let port) where port.sends && clients.contains(port.clientName):
      return receivers.map { .connect(sender: port.address, receiver: $0) }
    default: break
    }
    return []
  }
}
