extension AutomaticWiring {
  /// Returns those of our ports that a keyboard should be connected to.
  func targets(of keyboard: Keyboard, by rules: WiringRules) -> [SequencerPort] {
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
  func overridesLists(of keyboard: Keyboard, by rules: WiringRules) -> Bool {
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
