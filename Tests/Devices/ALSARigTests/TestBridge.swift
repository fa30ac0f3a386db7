import ALSATestSupport
import LiveAudio
import LiveMIDI
import Synchronization
import Testing

@testable import ALSAMIDI

/// A bridge with one port, which is heard.
final class TestBridge {
  let bridge: SequencerBridge
  let heard = HeardInput()
  let port: PortAddress
  let log: BridgeLog

  /// - Parameter clients: Whose ports are to be connected.
  init(wired clients: Set<String> = []) throws {
    let log = BridgeLog()
    self.log = log
    bridge = try SequencerBridge(
      clientName: "Test bridge", wiring: WiringByName(clients: clients, log: log)
    ) { log.add($0) }
    port = try bridge.add(portNamed: "Organ", input: heard.input)
  }

  deinit { bridge.stop() }

  /// Waits for events.
  func hear(_ count: Int) throws -> [HeardInput.Event] {
    var events: [HeardInput.Event] = []
    return try wait {
      events += heard.take()
      return events.count >= count ? events : nil
    }
  }

  /// Waits until it has told this and nothing else: it tells after it has acted.
  func tells(_ events: [BridgeEvent]) {
    _ = try? wait { log.told == events ? () : nil }
    #expect(log.told == events)
  }

  func waitUntil(hasSources: Bool) throws {
    try wait { heard.input.hasSources == hasSources ? () : nil }
  }
}

/// What a bridge told, and what its policy was told.
final class BridgeLog: Sendable {
  private let events = Mutex<[BridgeEvent]>([])
  private let happenings = Mutex<[PortChange]>([])
  /// While it is locked, the bridge waits.
  let obstacle = Mutex(())

  var told: [BridgeEvent] { events.withLock { $0 } }
  var asked: [PortChange] { happenings.withLock { $0 } }

  func add(_ event: BridgeEvent) { events.withLock { $0.append(event) } }

  func add(_ happening: PortChange) {
    happenings.withLock { $0.append(happening) }
    obstacle.withLock { _ in }
  }
}

/// Connects clients that are named so.
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
