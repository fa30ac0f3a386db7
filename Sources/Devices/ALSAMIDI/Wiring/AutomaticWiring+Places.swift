extension AutomaticWiring {
  /// Those of our ports that a keyboard is to play.
  func places(of keyboard: Keyboard, by rules: WiringRules) -> [SequencerPort] {
    let listed = rules.ports(listing: keyboard.port).map(\.name)
    if !listed.isEmpty, !isWiringInForce(of: keyboard, by: rules) {
      return ownPorts(named: listed)
    }
    if let places = keyboard.places { return ownPorts(named: places) }
    guard rules.connectsHardware, isToPlay(keyboard.port), !isLeftToAnother else { return [] }
    // Not the next best while the first is away, as when the configuration is read again.
    guard let first = rules.ports.first else { return Array(ownPorts.prefix(1)) }
    return ownPorts(named: [first.name])
  }

  /// Whether what somebody has wired comes before the ports that list the keyboard: it is later than the list, as the
  /// same ports listed it then.
  func isWiringInForce(of keyboard: Keyboard, by rules: WiringRules) -> Bool {
    if keyboard.isWiredByHand { return true }
    let listed = rules.ports(listing: keyboard.port).map(\.name)
    let ours = rules.ports.map(\.name)
    return keyboard.places != nil && Set(listed) == Set(keyboard.listed.filter(ours.contains))
  }

  private func ownPorts(named names: [String]) -> [SequencerPort] {
    ownPorts.filter { port in names.contains { port.isNamed($0) } }
  }

  /// Of several servers, the one with the lowest number takes what nobody has wired: usually the one that
  /// was there first.
  private var isLeftToAnother: Bool {
    guard let client = ownPorts.first?.address.client else { return false }
    return othersPorts.keys.contains { $0.client < client }
  }

  /// Whether this is a port of a device that somebody may play on.
  private func isToPlay(_ port: SequencerPort) -> Bool {
    guard port.device != nil, !port.matches(anyOf: WiringRules.noKeyboards) else { return false }
    let others = keyboards.values.map(\.port).filter {
      $0.address.client == port.address.client && $0.address != port.address && $0.sends
    }
    // Two of one name are two whose names have been cut short; the keys come first.
    if others.contains(where: { $0.name == port.name && $0.isBefore(port) }) { return false }
    return !port.isForControl || others.allSatisfy(\.isForControl)
  }
}
