import ALSA
import LocalSystem
import TestSupport

/// A sequencer as a policy sees it: keyboards that come and go, the server's ports, and a user who connects
/// them.
final class WiredRoom {
  /// The connections, in the form `28:0 Piano`.
  var connections: [String] {
    links.map { link in "\(link.sender) \(ports[link.receiver]?.name ?? "another's")" }.sorted()
  }

  let system: TemporarySystem
  var rules: WiringRules
  /// The messages for the user.
  private(set) var complaints: [String] = []
  private var policy: AutomaticWiring!
  private var links: Set<Subscription> = []
  private var ports: [PortAddress: SequencerPort] = [:]
  private var present: [SequencerPort] = []
  private let client: UInt8

  /// - Parameter names: The server's ports, in order.
  init(
    _ names: String..., rules: WiringRules? = nil, in system: TemporarySystem = TemporarySystem(),
    client: UInt8 = 128
  ) {
    self.system = system
    self.client = client
    self.rules = rules ?? WiringRules(ports: names.map { WiringRules.Port(name: $0) })
    let box = Box(self)
    let store = ConnectionStore(system.environment) { box.room?.complaints.append($0) }
    policy = AutomaticWiring({ box.room?.rules ?? WiringRules() }, store: store)
    for (index, name) in names.enumerated() { add(name, port: UInt8(index)) }
  }

  /// SAFETY: Tests call the policy on their own thread only.
  private final class Box: @unchecked Sendable {
    weak var room: WiredRoom?
    init(_ room: WiredRoom) { self.room = room }
  }

  func add(_ name: String, port: UInt8) {
    let port = SequencerPort(
      address: PortAddress(client: client, port: port), clientName: "Portative", name: name,
      sends: false, receives: true)
    ports[port.address] = port
    tell(.ownPortAdded(port))
  }

  func remove(_ name: String) {
    guard let port = ports.values.first(where: { $0.name == name }) else { return }
    ports[port.address] = nil
    links = links.filter { $0.receiver != port.address }
    tell(.ownPortRemoved(port.address))
  }

  func plug(_ keyboards: SequencerPort...) {
    for keyboard in keyboards {
      present.append(keyboard)
      tell(.appeared(keyboard))
    }
  }

  func unplug(_ keyboards: SequencerPort...) {
    for keyboard in keyboards {
      present.removeAll { $0.address == keyboard.address }
      links = links.filter { $0.sender != keyboard.address }
      tell(.vanished(keyboard))
    }
  }

  /// Connects a keyboard as `aconnect` does.
  func connect(_ keyboard: SequencerPort, to name: String) {
    guard let port = ports.values.first(where: { $0.name == name }) else { return }
    connect(keyboard, to: port.address)
  }

  func connect(_ keyboard: SequencerPort, to receiver: PortAddress) {
    links.insert(Subscription(sender: keyboard.address, receiver: receiver))
    tell(.subscribed(sender: keyboard.address, receiver: receiver))
  }

  /// Disconnects a keyboard as `aconnect -d` does.
  func disconnect(_ keyboard: SequencerPort, from name: String) {
    guard let port = ports.values.first(where: { $0.name == name }) else { return }
    links.remove(Subscription(sender: keyboard.address, receiver: port.address))
    tell(.unsubscribed(sender: keyboard.address, receiver: port.address))
  }

  /// Passes a change to the policy, executes its actions and reports them to it.
  func tell(_ happening: PortChange) {
    for action in policy.react(to: happening) {
      switch action {
      case .connect(let sender, let receiver):
        guard present.contains(where: { $0.address == sender }) else { continue }
        links.insert(Subscription(sender: sender, receiver: receiver))
        tell(.subscribed(sender: sender, receiver: receiver))
      case .disconnect(let sender, let receiver):
        links.remove(Subscription(sender: sender, receiver: receiver))
        tell(.unsubscribed(sender: sender, receiver: receiver))
      }
    }
  }
}

extension SequencerPort {
  /// Returns a USB keyboard's port.
  static func usb(
    _ client: UInt8, _ name: String = "Keys", port: UInt8 = 0, named portName: String? = nil,
    product: String = "1c75:0288", serial: String? = nil, at path: String
  ) -> SequencerPort {
    SequencerPort(
      address: PortAddress(client: client, port: port), clientName: name,
      name: portName ?? "\(name) MIDI \(port + 1)", sends: true, receives: true,
      device: DeviceIdentity(product: product, serial: serial, path: path))
  }

  /// Returns a program's port.
  static func program(
    _ client: UInt8, _ name: String, named portName: String = "out", sends: Bool = true
  ) -> SequencerPort {
    SequencerPort(
      address: PortAddress(client: client, port: 0), clientName: name, name: portName, sends: sends,
      receives: !sends)
  }
}
