import ALSA
import Configuration
import LocalSystem

/// The verb `devices`: lists sound devices and keyboards.
enum DevicesCommand {
  /// - Parameter arguments: The arguments after `devices`.
  static func run(_ arguments: [String]) throws -> ExitCode {
    let options = try DevicesOptions(arguments: arguments)
    if options.wantsHelp { return try Command.write(Help.devices) }
    let outputs = SoundOutput.all(in: .current)
    let keyboards = keyboards()
    if options.isJSON {
      let lines = outputs.map { JSONOutput.devices.line(["output": $0]) }.joined()
      let more = (try? keyboards.get())?.keyboardLines(of: .devices) ?? ""
      return try Command.write("\(lines)\(more)")
    }
    let table = Columns.table(
      ["SOUND DEVICE", "NAME", "USED BY"],
      outputs.map { output in
        let users = output.users.joined(separator: ", ")
        return [output.device, output.name, users.isEmpty ? "-" : users]
      })
    switch keyboards {
    case .success(let list): return try Command.write("\(table)\n\(list.keyboardTable)")
    case .failure(let error): return try Command.write("\(table)\n\(error.finding)\n")
    }
  }

  private static func keyboards() -> Result<PatchList, SequencerError> {
    Result { () throws(SequencerError) in
      PatchList(
        patch: try Patch(ALSASequencer(clientName: "portative devices"), names: .configured))
    }
  }
}

/// A sound device that `--audio` names.
struct SoundOutput: Encodable, Equatable {
  let device: String
  /// The name for users.
  let name: String
  /// The programs that use it.
  let users: [String]

  /// Returns the default device, JACK if it runs, and the devices of the kernel.
  static func all(in environment: ProcessEnvironment) -> [SoundOutput] {
    let servers = SoundServerCheck.servers(in: environment)
    let shared = servers.filter { $0 != SoundServerCheck.jack }
    var outputs = [
      SoundOutput(
        device: "default",
        name: shared.isEmpty ? "the default of ALSA" : shared.joined(separator: ", "), users: [])
    ]
    let jack =
      servers.contains(SoundServerCheck.jack)
      ? SoundServerCheck.jack
      : servers.contains(SoundServerCheck.pipeWire) ? "\(SoundServerCheck.pipeWire) as JACK" : nil
    if let jack { outputs.append(SoundOutput(device: "jack", name: jack, users: [])) }
    return outputs
      + SoundCard.all(in: environment).flatMap { card in
        card.outputs.map { output in
          SoundOutput(
            device: card.deviceName(of: output), name: "\(card.name), \(output.name)",
            users: output.holders.map(\.description))
        }
      }
  }
}

/// The options of `portative devices`.
struct DevicesOptions {
  var isJSON = false
  var wantsHelp = false

  /// Reads the arguments after `devices`.
  init(arguments: [String]) throws(Failure) {
    let operands = try Self.table.parse(arguments, into: &self)
    if let operand = operands.first, !wantsHelp {
      throw .usage("devices takes options only, but got '\(operand)'; see portative devices --help")
    }
  }

  static let table = OptionTable<DevicesOptions>(rows: [
    .flag("--json", help: "write a line of JSON for each device", \.isJSON), .help(\.wantsHelp),
  ])
}

extension Help {
  static let devices = HelpText(
    usage: [
      "portative devices [--json]"
    ],
    description: """
      Lists the sound devices that --audio of play, try and serve takes, and the
      keyboards with the ports that they play. portative doctor checks whether the
      default device can be played on.
      """,
    options: DevicesOptions.table.entries,
    examples: """
      portative devices
      portative devices --json
      portative play --audio hw:1 song.mid
      """)
}
