import LocalSystem

/// Connects keyboards when they appear, each to where it was, and remembers what is wired by hand.
///
/// What a keyboard plays is, the first of these that says something: what has been wired by hand since it
/// appeared; what is remembered of it, if it was wired by hand while the same ports listed it as now; the ports that
/// list it; whatever else is remembered of it; the first port, if it is a device. So the later decision holds, be
/// it one by hand or one in the configuration. Of several ports only one sounds, unless somebody wants it otherwise.
///
/// It only undoes what it has done itself: wiring made by hand becomes what is wanted.
package struct AutomaticWiring: WiringPolicy {
  /// Another client's port that sends, or did.
  struct Keyboard {
    var port: SequencerPort
    /// The names of the ports that it plays, ours and others'; `nil` if nobody has ever said.
    var places: [String]?
    /// The names of the ports that listed it when somebody last wired it.
    var listed: [String] = []
    var isWiredByHand = false
  }

  let rules: @Sendable () -> WiringRules
  var keyboards: [PortAddress: Keyboard] = [:]
  /// In the order in which they were added.
  var ownPorts: [SequencerPort] = []
  /// Those of other servers.
  var othersPorts: [PortAddress: SequencerPort] = [:]
  private var memory: ConnectionStore
  /// What is connected to our ports, or is about to be.
  private var links: Set<Subscription> = []

  /// - Parameter rules: Asked at each happening. What has changed holds from the next one on.
  package init(_ rules: @escaping @Sendable () -> WiringRules, memory: ConnectionStore) {
    self.rules = rules
    self.memory = memory
  }

  package mutating func react(to happening: PortChange) -> [WiringAction] {
    switch happening {
    case .appeared(let port):
      if port.isPortative { othersPorts[port.address] = port }
      if port.sends { notice(port) }
    case .changed(let port):
      if port.isPortative { othersPorts[port.address] = port }
      if keyboards[port.address] != nil {
        keyboards[port.address]?.port = port
      } else if port.sends {
        notice(port)
      }
    case .vanished(let port):
      keyboards[port.address] = nil
      othersPorts[port.address] = nil
      links = links.filter { $0.sender != port.address }
    case .ownPortAdded(let port):
      ownPorts.append(port)
    case .ownPortRemoved(let address):
      ownPorts.removeAll { $0.address == address }
      links = links.filter { $0.receiver != address }
    case .subscribed(let sender, let receiver):
      if isOurs(receiver) {
        // One that we made is known already.
        if links.insert(Subscription(sender: sender, receiver: receiver)).inserted { learn(sender) }
      } else if othersPorts[receiver] != nil, isLinked(sender) {
        // That server will remember its part; and this keyboard is no longer one that nobody has wired.
        learn(sender)
      }
    case .unsubscribed(let sender, let receiver):
      if links.remove(Subscription(sender: sender, receiver: receiver)) != nil { learn(sender) }
    }
    return reconcile()
  }

  private mutating func notice(_ port: SequencerPort) {
    let remembered = memory.recall(port, among: devices)
    let keyboard = Keyboard(
      port: port, places: remembered?.plays, listed: remembered?.listed ?? [])
    keyboards[port.address] = keyboard
    tellApart(port)
    explainUnusedList(of: keyboard)
  }

  /// Those of a kind that are plugged in together will be known apart when they are so no more.
  private mutating func tellApart(_ port: SequencerPort) {
    guard let device = port.device, device.product != nil else { return }
    let alike = keyboards.values.map(\.port).filter {
      $0.device?.product == device.product && $0.device?.serial == device.serial
        && $0.address.port == port.address.port
    }
    if alike.count > 1 { for port in alike { memory.acquaint(port, among: devices) } }
  }

  /// Takes what is wired now for what is wanted.
  private mutating func learn(_ address: PortAddress) {
    guard let keyboard = keyboards[address], !keyboard.port.matches(anyOf: rules().ignored) else {
      return
    }
    let linked = ownPorts.filter {
      links.contains(Subscription(sender: address, receiver: $0.address))
    }
    let absent = (keyboard.places ?? []).filter { name in !ownPorts.contains { $0.isNamed(name) } }
    keyboards[address]?.places = absent + linked.map(\.name)
    keyboards[address]?.isWiredByHand = true
    let listed = rules().ports(listing: keyboard.port).map(\.name)
    keyboards[address]?.listed = listed
    memory.remember(
      keyboard.port, plays: linked.map(\.name), of: ownPorts, listed: listed, among: devices)
    tellApart(keyboard.port)
    if let keyboard = keyboards[address] { explainUnusedList(of: keyboard) }
  }

  /// Tells of ports that list a keyboard, but do not get it, for somebody has disconnected it.
  private func explainUnusedList(of keyboard: Keyboard) {
    let rules = rules()
    guard !keyboard.port.matches(anyOf: rules.ignored), let places = keyboard.places,
      isWiringInForce(of: keyboard, by: rules)
    else { return }
    let name = keyboard.port.clientName
    for port in rules.ports(listing: keyboard.port).map(\.name) where !places.contains(port) {
      memory.tell(
        "\(port) lists \(name) in the configuration, but you have disconnected it, so it stays so: "
          + "'portative connect \"\(name)\" \"\(port)\"' connects it again")
    }
  }

  /// Whether we have connected it to a port of ours, or somebody has.
  private func isLinked(_ sender: PortAddress) -> Bool { links.contains { $0.sender == sender } }

  private func isOurs(_ address: PortAddress) -> Bool {
    ownPorts.contains { $0.address == address }
  }

  /// Those that are plugged in.
  private var devices: Set<DeviceIdentity> { Set(keyboards.values.compactMap(\.port.device)) }

  /// Makes of what is connected what is wanted.
  private mutating func reconcile() -> [WiringAction] {
    let rules = rules()
    let open = keyboards.values.filter { $0.port.sends && !$0.port.matches(anyOf: rules.ignored) }
    var actions: [WiringAction] = []
    for keyboard in open.sorted(by: { $0.port.isBefore($1.port) }) {
      let sender = keyboard.port.address
      let wanted = places(of: keyboard, by: rules)
      for port in ownPorts {
        let link = Subscription(sender: sender, receiver: port.address)
        if wanted.contains(port) {
          guard links.insert(link).inserted else { continue }
          actions.append(.connect(sender: sender, receiver: port.address))
        } else if links.remove(link) != nil {
          actions.append(.disconnect(sender: sender, receiver: port.address))
        }
      }
    }
    return actions
  }
}
