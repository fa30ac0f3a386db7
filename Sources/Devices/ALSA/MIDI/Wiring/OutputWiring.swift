/// Connects MIDI outputs to modules when either appears.
package struct OutputWiring: WiringPolicy {
  /// An output of the configuration.
  package struct Rule: Equatable, Sendable {
    package let name: String
    /// Patterns for ``SequencerPort/matches(anyOf:)``.
    package let modules: [String]

    package init(name: String, modules: [String]) {
      self.name = name
      self.modules = modules
    }
  }

  private var rules: [Rule] = []
  private var modules: [PortAddress: SequencerPort] = [:]
  /// The outputs that exist.
  private var outputs: [SequencerPort] = []

  package init() {}

  /// Changes which modules are connected. Connections that exist remain, because the user may have made them.
  ///
  /// - Returns: The connections that are missing.
  mutating func set(_ rules: [Rule]) -> [WiringAction] {
    self.rules = rules
    return outputs.flatMap { output in modules.values.flatMap { connections(output, $0) } }
  }

  package mutating func react(to change: PortChange) -> [WiringAction] {
    switch change {
    case .appeared(let port), .changed(let port):
      let isNew = modules.updateValue(port, forKey: port.address) == nil
      return isNew ? outputs.flatMap { connections($0, port) } : []
    case .vanished(let port):
      modules[port.address] = nil
    case .ownPortAdded(let port):
      outputs.append(port)
      return modules.values.sorted { $0.isBefore($1) }.flatMap { connections(port, $0) }
    case .ownPortRemoved(let address):
      outputs.removeAll { $0.address == address }
    case .subscribed, .unsubscribed: break
    }
    return []
  }

  private func connections(_ output: SequencerPort, _ module: SequencerPort) -> [WiringAction] {
    // A server's own ports would play what they send.
    guard module.receives, !module.isPortative,
      let rule = rules.first(where: { output.isNamed($0.name) }),
      module.matches(anyOf: rule.modules)
    else { return [] }
    return [.connect(sender: output.address, receiver: module.address)]
  }
}
