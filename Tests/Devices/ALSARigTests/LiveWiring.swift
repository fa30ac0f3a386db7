import ALSA
import LiveMIDI
import LocalSystem
import Synchronization
import TestSupport

/// The wiring of a server, without its units.
final class LiveWiring {
  private let bridge: SequencerBridge
  private let diary: Diary
  private let onlooker: ALSASequencer

  /// - Parameter names: The server's ports.
  init(_ names: String..., in system: TemporarySystem) throws {
    let rules = WiringRules(ports: names.map { .init(name: $0) })
    let diary = Diary()
    let store = ConnectionStore(system.environment) { diary.note(complaint: $0) }
    let policy = Witnessed(policy: AutomaticWiring({ rules }, store: store), diary: diary)
    self.diary = diary
    bridge = try SequencerBridge(wiring: policy) { _ in }
    onlooker = try ALSASequencer(clientName: "Onlooker")
    for name in names { _ = try bridge.add(portNamed: name, input: LiveInput()) }
  }

  deinit { bridge.stop() }

  /// The changes reported to the policy.
  var happenings: [PortChange] { diary.happenings.withLock { $0 } }
  /// The messages for the user.
  var complaints: [String] { diary.complaints.withLock { $0 } }

  /// Returns the connections by names and sockets: `Twin at usb-dummy_hcd.0-1 plays Organ`.
  func wiring() throws -> [String] {
    let ports = try onlooker.ports()
    return try onlooker.subscriptions().compactMap { subscription in
      guard let receiver = ports.first(where: { $0.address == subscription.receiver }),
        receiver.isPortative,
        let sender = ports.first(where: { $0.address == subscription.sender })
      else { return nil }
      return "\(sender.clientName) at \(sender.device?.path ?? "?") plays \(receiver.name)"
    }.sorted()
  }

  /// Waits until these are the connections.
  func wait(for wiring: String...) throws {
    var found: [String] = []
    do {
      _ = try ALSARigTests.wait {
        found = try self.wiring()
        return found == wiring.sorted() ? true : nil
      }
    } catch {
      throw Unexpected(found: found, wanted: wiring)
    }
  }

  struct Unexpected: Error {
    let found: [String]
    let wanted: [String]
  }
}

private final class Diary: Sendable {
  let happenings = Mutex<[PortChange]>([])
  let complaints = Mutex<[String]>([])

  func note(complaint: String) { complaints.withLock { $0.append(complaint) } }
}

/// Records the changes that a policy receives.
private struct Witnessed: WiringPolicy {
  var policy: AutomaticWiring
  let diary: Diary

  mutating func react(to happening: PortChange) -> [WiringAction] {
    let actions = policy.react(to: happening)
    diary.happenings.withLock { $0.append(happening) }
    return actions
  }
}
