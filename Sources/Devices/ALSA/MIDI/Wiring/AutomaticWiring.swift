import LocalSystem

/// Connects keyboards to the ports they were connected to before, and stores the user's connections.
///
/// A keyboard's ports are determined by the first of these that applies:
///
/// 1. the user's connections made since the keyboard appeared,
/// 2. its stored connections, if the same ports listed it when they were made,
/// 3. the ports that list it,
/// 4. its stored connections,
/// 5. the first port, if the keyboard is a hardware device.
///
/// The latest decision therefore applies, whether made by hand or in the configuration. A keyboard plays only one
/// port unless the user requests otherwise.
///
/// The policy only undoes its own connections. Connections made by the user become the wanted state.
package struct AutomaticWiring: WiringPolicy {
  /// Another client's port that sends events, or did so earlier.
  struct Keyboard {
    var port: SequencerPort
    /// The names of the ports it plays, ours and other servers'; `nil` if the user has never connected it.
    var targetNames: [String]?
    /// The names of the ports that listed it when the user last connected it.
    var listed: [String] = []
    var isWiredByHand = false
  }

  private let rules: @Sendable () -> WiringRules
  private var keyboards: [PortAddress: Keyboard] = [:]
  /// Our ports, in the order in which they were added.
  private var ownPorts: [SequencerPort] = []
  /// The ports of other servers.
  private var foreignPorts: [PortAddress: SequencerPort] = [:]
  private var store: ConnectionStore
  /// The connections to our ports that exist or have been requested.
  private var connections: Set<Subscription> = []

  /// Creates the policy.
  ///
  /// - Parameters:
  ///   - rules: Returns the current rules. It is called for every change, so new rules apply from the next change on.
  ///   - store: The user's connections of earlier sessions.
  package init(_ rules: @escaping @Sendable () -> WiringRules, store: ConnectionStore) {
    self.rules = rules
    self.store = store
  }

  package mutating func react(to change: PortChange) -> [WiringAction] {
    switch change {
    case .appeared(let port):
      if port.isPortative { foreignPorts[port.address] = port }
      if port.sends, !port.isPortativeOutput { register(port) }
    case .changed(let port):
      if port.isPortative { foreignPorts[port.address] = port }
      if keyboards[port.address] != nil {
        keyboards[port.address]?.port = port
      } else if port.sends, !port.isPortativeOutput {
        register(port)
      }
    case .vanished(let port):
      keyboards[port.address] = nil
      foreignPorts[port.address] = nil
      connections = connections.filter { $0.sender != port.address }
    case .ownPortAdded(let port):
      ownPorts.append(port)
    case .ownPortRemoved(let address):
      ownPorts.removeAll { $0.address == address }
      connections = connections.filter { $0.receiver != address }
    case .subscribed(let sender, let receiver):
      if isOurs(receiver) {
        // Our own connections are known already.
        if connections.insert(Subscription(sender: sender, receiver: receiver)).inserted {
          adopt(sender)
        }
      } else if foreignPorts[receiver] != nil, isConnected(sender) {
        // The other server stores its own connections, but the keyboard now counts as wired by the user.
        adopt(sender)
      }
    case .unsubscribed(let sender, let receiver):
      if connections.remove(Subscription(sender: sender, receiver: receiver)) != nil {
        adopt(sender)
      }
    }
    return reconcile()
  }

  private mutating func register(_ port: SequencerPort) {
    let remembered = store.recall(port, among: devices)
    let keyboard = Keyboard(
      port: port, targetNames: remembered?.plays, listed: remembered?.listed ?? [])
    keyboards[port.address] = keyboard
    storeTwins(port)
    explainUnusedList(of: keyboard)
  }

  /// Stores devices of the same kind that are plugged in together, so that they can be told apart later.
  private mutating func storeTwins(_ port: SequencerPort) {
    guard let device = port.device, device.product != nil else { return }
    let alike = keyboards.values.map(\.port).filter {
      $0.device?.product == device.product && $0.device?.serial == device.serial
        && $0.address.port == port.address.port
    }
    if alike.count > 1 { for port in alike { store.rememberTwin(port, among: devices) } }
  }

  /// Stores a keyboard's present connections as the wanted ones.
  private mutating func adopt(_ address: PortAddress) {
    guard let keyboard = keyboards[address], !keyboard.port.matches(anyOf: rules().ignored) else {
      return
    }
    let connected = ownPorts.filter {
      connections.contains(Subscription(sender: address, receiver: $0.address))
    }
    let absent = (keyboard.targetNames ?? []).filter { name in
      !ownPorts.contains { $0.isNamed(name) }
    }
    keyboards[address]?.targetNames = absent + connected.map(\.name)
    keyboards[address]?.isWiredByHand = true
    let listed = rules().ports(listing: keyboard.port).map(\.name)
    keyboards[address]?.listed = listed
    store.remember(
      keyboard.port, plays: connected.map(\.name), of: ownPorts, listed: listed, among: devices)
    storeTwins(keyboard.port)
    if let keyboard = keyboards[address] { explainUnusedList(of: keyboard) }
  }

  /// Reports ports that list a keyboard but are not connected to it because the user has disconnected them.
  private func explainUnusedList(of keyboard: Keyboard) {
    let rules = rules()
    guard !keyboard.port.matches(anyOf: rules.ignored), let targetNames = keyboard.targetNames,
      overridesLists(of: keyboard, by: rules)
    else { return }
    let name = keyboard.port.clientName
    for port in rules.ports(listing: keyboard.port).map(\.name) where !targetNames.contains(port) {
      store.report(
        "\(port) lists \(name) in the configuration, but you have disconnected it, so it stays disconnected: "
          + "'portative connect \"\(name)\" \"\(port)\"' connects it again")
    }
  }

  /// Whether a sender is connected to one of our ports, by us or by the user.
  private func isConnected(_ sender: PortAddress) -> Bool {
    connections.contains { $0.sender == sender }
  }

  private func isOurs(_ address: PortAddress) -> Bool {
    ownPorts.contains { $0.address == address }
  }

  /// The devices that are plugged in.
  private var devices: Set<DeviceIdentity> { Set(keyboards.values.compactMap(\.port.device)) }

  /// Returns the actions that turn the present connections into the wanted ones.
  private mutating func reconcile() -> [WiringAction] {
    let rules = rules()
    let open = keyboards.values.filter { $0.port.sends && !$0.port.matches(anyOf: rules.ignored) }
    var actions: [WiringAction] = []
    for keyboard in open.sorted(by: { $0.port.isBefore($1.port) }) {
      let sender = keyboard.port.address
      let wanted = targets(of: keyboard, by: rules)
      for port in ownPorts {
        let connection = Subscription(sender: sender, receiver: port.address)
        if wanted.contains(port) {
          guard connections.insert(connection).inserted else { continue }
          actions.append(.connect(sender: sender, receiver: port.address))
        } else if connections.remove(connection) != nil {
          actions.append(.disconnect(sender: sender, receiver: port.address))
        }
      }
    }
    return actions
  }
}

extension AutomaticWiring {
  /// Returns those of our ports that a keyboard should be connected to.
  private func targets(of keyboard: Keyboard, by rules: WiringRules) -> [SequencerPort] {
    let listed = rules.ports(listing: keyboard.port).map(\.name)
    if !listed.isEmpty, !overridesLists(of: keyboard, by: rules) {
      return ownPorts(named: listed)
    }
    if let names = keyboard.targetNames { return ownPorts(named: names) }
    guard rules.connectsHardware, isPlayable(keyboard.port), !isHandledByOtherServer else {
      return []
    }
    // Only the first configured port, even while it is missing, as during a reload of the configuration.
    guard let first = rules.ports.first else { return Array(ownPorts.prefix(1)) }
    return ownPorts(named: [first.name])
  }

  /// Whether the keyboard's wiring by the user overrides the ports that list it. It does if it is newer than the list:
  /// made since the keyboard appeared, or stored while the same ports listed it.
  private func overridesLists(of keyboard: Keyboard, by rules: WiringRules) -> Bool {
    if keyboard.isWiredByHand { return true }
    let listed = rules.ports(listing: keyboard.port).map(\.name)
    let ours = rules.ports.map(\.name)
    return keyboard.targetNames != nil && Set(listed) == Set(keyboard.listed.filter(ours.contains))
  }

  private func ownPorts(named names: [String]) -> [SequencerPort] {
    ownPorts.filter { port in names.contains { port.isNamed($0) } }
  }

  /// Whether another server connects the keyboards that the user has not connected. Of several servers, the one with the
  /// lowest client number does: usually the one started first.
  private var isHandledByOtherServer: Bool {
    guard let client = ownPorts.first?.address.client else { return false }
    return foreignPorts.keys.contains { $0.client < client }
  }

  /// Whether this is the port of a hardware device that notes are played on.
  private func isPlayable(_ port: SequencerPort) -> Bool {
    guard port.device != nil, !port.matches(anyOf: WiringRules.nonKeyboards) else { return false }
    let others = keyboards.values.map(\.port).filter {
      $0.address.client == port.address.client && $0.address != port.address && $0.sends
    }
    // Two ports with the same name have truncated names. The first of them is the keyboard.
    if others.contains(where: { $0.name == port.name && $0.isBefore(port) }) { return false }
    return !port.isForControl || others.allSatisfy(\.isForControl)
  }
}
