import ALSA
import Configuration
import LocalSystem
import PortativeServer

/// The verb `connect`: shows and changes which keyboard plays which port.
///
/// It works without contacting a server: servers observe the connections, and store them.
enum ConnectCommand {
  /// - Parameter arguments: The arguments after `connect`.
  static func run(_ arguments: [String]) throws -> ExitCode {
    let options = try ConnectOptions(arguments: arguments)
    if options.wantsHelp { return try Command.write(Help.connect) }
    // The client name must differ from a server's, which would be listed.
    let sequencer = try ALSASequencer(clientName: "portative connect")
    return try Command.write(
      try answer(options, sequencer, rules: configuredRules, names: .configured))
  }

  /// The rules of the configuration; default rules if it cannot be read, which a server reports.
  private static var configuredRules: WiringRules {
    guard let configuration = try? Configuration(.current) else { return WiringRules() }
    return WiringRules(configuration.midi, ports: configuration.ports ?? [])
  }

  /// Executes the request.
  ///
  /// - Parameters:
  ///   - rules: The rules of the configuration, with the keyboards that each port lists.
  ///   - names: The names that the user has given to keyboards.
  /// - Returns: The text for standard output.
  static func answer(
    _ options: ConnectOptions, _ patchbay: some Patchbay, rules: WiringRules = WiringRules(),
    names: KeyboardNames = KeyboardNames()
  ) throws -> OutputText {
    let patch = try Patch(patchbay, names: names)
    let text =
      switch options.request {
      case .list: PatchList(patch: patch).text
      case .connect(let keyboard, let port): try connect(keyboard, port, patch, patchbay)
      case .disconnect(let keyboard, let port):
        try disconnect(keyboard, port, patch, patchbay, rules)
      }
    return options.isJSON ? PatchList(patch: try Patch(patchbay, names: names)).jsonLines : text
  }

  private static func connect(
    _ keyboard: String, _ port: String, _ patch: Patch, _ patchbay: some Patchbay
  ) throws -> OutputText {
    let finder = PatchFinder(patch: patch)
    let port = try finder.port(port)
    let keyboard = try finder.keyboard(keyboard)
    let name = patch.name(of: keyboard)
    if patch.isConnected(keyboard, to: port) { return "\(name) already plays \(port.name)\n" }
    try patchbay.connect(keyboard.address, to: port.address)
    return "\(name) now plays \(port.name)\n"
  }

  private static func disconnect(
    _ keyboard: String, _ port: String?, _ patch: Patch, _ patchbay: some Patchbay,
    _ rules: WiringRules
  ) throws -> OutputText {
    let finder = PatchFinder(patch: patch)
    var ports = patch.ports
    if let port { ports = [try finder.port(port)] }
    let keyboard = try finder.keyboard(keyboard)
    let name = patch.name(of: keyboard)
    let played = ports.filter { patch.isConnected(keyboard, to: $0) }
    if played.isEmpty {
      return "\(name) does not play \(port == nil ? "any port" : ports[0].name)\n"
    }
    for port in played {
      try patchbay.disconnect(keyboard.address, from: port.address)
    }
    let listing = rules.ports(listing: keyboard).map(\.name).filter { name in
      played.contains { $0.isNamed(name) }
    }
    let effect = "it stays disconnected until you connect it again or change that list"
    let remarks: OutputText = listing.map {
      "The configuration lists it for \($0); \(effect)\n"
    }.joined()
    return "\(name) no longer plays \(played.map(\.name).joined(separator: ", "))\n\(remarks)"
  }
}

extension KeyboardNames {
  /// The names of the user's configuration; none if it cannot be read, which a server reports.
  static var configured: Self {
    (try? Configuration(.current)).map { Self($0.midi) } ?? Self()
  }
}

extension Help {
  static let connect = HelpText(
    usage: [
      "portative connect [--json]",
      "portative connect [--json] KEYBOARD PORT",
      "portative connect [--json] --remove KEYBOARD [PORT]",
    ],
    description: """
      Shows or changes which keyboard plays which port. The server stores changes, and
      restores the connections of a keyboard that is plugged in again.
      """,
    options: ConnectOptions.table.entries,
    remarks: """
      KEYBOARD and PORT are names, parts of names in upper or lower case, or numbers
      as in the list. To distinguish two keyboards of one kind, use the serial number
      or the socket from the list as KEYBOARD.

      Manual changes take precedence over the lists of keyboards in the configuration
      until these lists change. The server's log reports when they do.
      """,
    examples: """
      portative connect
      portative connect launchkey "General MIDI"
      portative connect --remove launchkey
      """)
}
