import Glibc
import LocalSystem
import TestSupport

@testable import ALSABridge

/// A server's wiring, with the real sequencer and without the rest of a server.
///
/// It listens as another client than the one whose ports are played, which also keeps away from it what the
/// kernel tells the receiver of a connection only.
final class LiveWiring {
  let server: ALSASequencer
  private let ear: ALSASequencer
  private var watch: PortWatch
  private var policy: AutomaticWiring
  private(set) var happenings: [WiringHappening] = []

  init(_ names: String..., in system: TemporarySystem) throws {
    server = try ALSASequencer()
    ear = try ALSASequencer(clientName: "Ear")
    watch = try PortWatch(ear)
    // The far side of an emulated keyboard is left out by itself, this machine's own devices by this.
    let rules = WiringRules(ports: names.map { .init(name: $0) })
    policy = AutomaticWiring(
      { rules }, memory: WiringMemory(system.surroundings) { fatalError("complaint: \($0)") })
    for change in try watch.lookAround() { try take(change) }
    for name in names {
      let address = try server.addPort(named: name)
      let port = try server.ports().first { $0.address == address }
      if let port { try tell(.ownPortAdded(port)) }
    }
  }

  /// What plays which port, by names and sockets: `Twin at usb-dummy_hcd.0-1 plays Organ`.
  func wiring() throws -> [String] {
    try settle()
    let ports = try server.ports()
    return try server.subscriptions().compactMap { subscription in
      guard let receiver = ports.first(where: { $0.address == subscription.receiver }),
        receiver.isPortative,
        let sender = ports.first(where: { $0.address == subscription.sender })
      else { return nil }
      return "\(sender.clientName) at \(sender.device?.path ?? "?") plays \(receiver.name)"
    }.sorted()
  }

  /// Waits until what plays what is so.
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

  /// Reacts to all that has been announced.
  func settle() throws {
    while let event = try ear.nextEvent() {
      for change in try watch.take(event) { try take(change) }
      switch event.content {
      case .announcement(.subscribed(let sender, let receiver)):
        try tell(.subscribed(sender: sender, receiver: receiver))
      case .announcement(.unsubscribed(let sender, let receiver)):
        try tell(.unsubscribed(sender: sender, receiver: receiver))
      default: break
      }
    }
  }

  private func take(_ change: PortWatch.Change) throws {
    switch change {
    case .appeared(let port) where port.address.client == server.client: break
    case .appeared(let port): try tell(.appeared(port))
    case .changed(let port): try tell(.changed(port))
    case .vanished(let port): try tell(.vanished(port))
    }
  }

  private func tell(_ happening: WiringHappening) throws {
    happenings.append(happening)
    for action in policy.react(to: happening) {
      do throws(SequencerError) {
        switch action {
        case .connect(let sender, let receiver): try server.connect(sender, to: receiver)
        case .disconnect(let sender, let receiver): try server.disconnect(sender, from: receiver)
        }
      } catch .cannotConnect {
        // It has gone since.
      }
    }
  }
}
