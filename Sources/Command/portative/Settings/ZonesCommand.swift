import Configuration
import Glibc
import LocalSystem
import NodeHost
import NodeProtocol

/// The verb `zones`: shows or changes what parts of keyboards play on a port.
enum ZonesCommand {
  /// - Parameter arguments: The arguments after `zones`.
  static func run(_ arguments: [String]) throws -> ExitCode {
    let options = try ZonesOptions(arguments: arguments)
    if options.wantsHelp { return try Command.write(Help.zones) }
    let component = try Component.running(
      named: options.port, hint: ", or write the zones into its configuration")
    let host = AudioHost(name: "portative zones")
    do {
      switch options.change {
      case nil:
        let zones = try host.zones(of: component)
        if zones == nil { Terminal.note("no zones: the port plays the whole keyboard") }
        return try Command.write(OutputText(json: (zones ?? "[]") + "\n"))
      case .clear: try host.setZones(nil, of: component)
      case .set(let text): try host.setZones(text, of: component)
      case .read: try host.setZones(input(), of: component)
      }
      return .done
    } catch let error as ConnectionError {
      if case .refused(let refusal) = error, refusal.code == .badSequence {
        throw Failure(.inputUnusable, refusal.message)
      }
      throw error
    }
  }

  /// Reads standard input.
  private static func input() throws -> String {
    var bytes: [UInt8] = []
    // More is refused by the connection.
    while let line = readLine(strippingNewline: false) {
      bytes += line.utf8
      if bytes.count > PacketSocket.limit { break }
    }
    return String(decoding: bytes, as: UTF8.self)
  }
}

/// The options of `portative zones`.
struct ZonesOptions {
  enum Change: Equatable {
    case set(String)
    /// From standard input.
    case read
    /// Back to the zones of the scene or of the configuration.
    case clear
  }

  var port = ""
  /// `nil`: show the zones.
  var change: Change?
  var wantsHelp = false
  private var clears = false

  /// Reads the arguments after `zones`.
  init(arguments: [String]) throws(Failure) {
    let operands = try Self.table.parse(arguments, into: &self)
    if wantsHelp { return }
    guard let port = operands.first else {
      throw .usage("zones needs a port: portative status lists them")
    }
    self.port = port
    if operands.count > 2 {
      throw .usage("zones takes a port and a list, but got \(operands.count): put each in quotes")
    }
    if clears, operands.count > 1 {
      throw .usage("--clear removes the zones, but a list was given: leave one of them out")
    }
    if clears { change = .clear }
    if operands.count == 2 { change = operands[1] == "-" ? .read : .set(operands[1]) }
  }

  static let table = OptionTable<ZonesOptions>(rows: [
    .flag("--clear", help: "play the zones of the configuration again", \.clears),
    .help(\.wantsHelp),
  ])
}

extension Help {
  static let zones = HelpText(
    usage: [
      "portative zones PORT",
      "portative zones PORT LIST|-",
      "portative zones PORT --clear",
    ],
    description: """
      Shows or changes what parts of keyboards play on a port, while it is played.
      Held notes keep their sound. LIST is a list of zones as in the configuration;
      - reads it from standard input. The zones last until a scene is chosen or the
      server ends: 'portative scene save NAME' keeps them.

      A zone can have: keyboards, channel, keys, velocities, transpose, velocity,
      controllers, invertPedal, mode, soundfont, preset, parameters, level, pan.
      """,
    options: ZonesOptions.table.entries,
    exampleTitle: "A bass below C4 and strings above",
    examples: """
      portative zones "Grand Piano" '[{keys: "..B3", preset: "0:32"},
        {keys: "C4..", preset: "0:48", level: -6}]'
      """)
}
