import ALSA

/// The list of connections, as text for users and JSON for programs.
struct PatchList {
  let patch: Patch

  var text: OutputText { "\(keyboardTable)\n\(ports)" }

  var keyboardTable: OutputText {
    if patch.keyboards.isEmpty {
      return "There is no keyboard: plug one in and switch it on.\n"
    }
    let rows = patch.keyboards.map { keyboard in
      [
        patch.name(of: keyboard), "\(keyboard.address)", keyboard.device?.serial ?? "-",
        keyboard.device?.path ?? "program", names(patch.ports(playedBy: keyboard)),
      ]
    }
    return Columns.table(["KEYBOARD", "NUMBER", "SERIAL", "PLUGGED IN AT", "PLAYS"], rows)
  }

  private var ports: OutputText {
    if patch.ports.isEmpty {
      return "No Portative server is running, so there is no port: start portative serve.\n"
    }
    let rows = patch.ports.map { port in
      [port.name, "\(port.address)", names(patch.keyboards(playing: port))]
    }
    return Columns.table(["PORT", "NUMBER", "PLAYED BY"], rows)
  }

  private func names(_ ports: [SequencerPort]) -> String {
    ports.isEmpty ? "-" : ports.map { patch.name(of: $0) }.joined(separator: ", ")
  }

  /// One line for each keyboard, then one for each port.
  var jsonLines: OutputText {
    let ports = patch.ports.map { port in
      Port(port: reference(port), playedBy: patch.keyboards(playing: port).map(reference))
    }
    return "\(keyboardLines(of: .connect))\(ports.map { JSONOutput.connect.line($0) }.joined())"
  }

  /// One line for each keyboard.
  func keyboardLines(of output: JSONOutput) -> OutputText {
    patch.keyboards.map { keyboard in
      output.line(
        Keyboard(
          keyboard: reference(keyboard),
          device: keyboard.device.map {
            Device(product: $0.product, serial: $0.serial, path: $0.path)
          }, plays: patch.ports(playedBy: keyboard).map(reference)))
    }.joined()
  }

  private func reference(_ port: SequencerPort) -> Reference {
    Reference(name: patch.name(of: port), address: "\(port.address)")
  }

  private struct Reference: Encodable {
    var name: String
    /// The address in the ALSA sequencer, as `client:port`.
    var address: String
  }

  private struct Keyboard: Encodable {
    var keyboard: Reference
    /// Absent for a program.
    var device: Device?
    var plays: [Reference]
  }

  private struct Device: Encodable {
    var product: String?
    var serial: String?
    var path: String
  }

  private struct Port: Encodable {
    var port: Reference
    var playedBy: [Reference]
  }
}
