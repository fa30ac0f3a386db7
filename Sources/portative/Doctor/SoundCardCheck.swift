import ALSASound
import Glibc
import LocalSystem

/// Whether there is something to be heard on, and who has it.
enum SoundCardCheck {
  static func findings(in surroundings: Surroundings) -> [Finding] {
    let servers = SoundServerCheck.servers(in: surroundings)
    let cards = SoundCard.all(in: surroundings)
    let outputs = cards.flatMap { card in card.outputs.map { (card: card, output: $0) } }
    if outputs.isEmpty { return [none(servers)] }
    var findings = outputs.map { card, output in
      let name = "\(card.name), \(output.name) (\(card.deviceName(of: output)))"
      if isClosed(card, output, surroundings), servers.isEmpty {
        return Finding.bad(
          "sound", "\(name) is closed to you", remedy: "join the group audio, and log in again")
      }
      if output.isFree { return .good("sound", "\(name) is free") }
      let holders = output.holders.map(\.description).joined(separator: ", ")
      if !servers.isEmpty { return .good("sound", "\(name) is used by \(holders)") }
      return .warning(
        "sound", "\(name) is used by \(holders), and no sound server runs that would share it",
        remedy: "end that program, or install PipeWire (sudo apt install pipewire-alsa)")
    }
    let isUsable = !servers.isEmpty || findings.contains { $0.verdict == .good }
    if !isUsable, findings.contains(where: { $0.verdict == .warning }) {
      findings.append(
        .bad(
          "sound", "no sound card is free",
          remedy:
            "end a program that uses one, or install PipeWire (sudo apt install pipewire-alsa)"))
    }
    return findings
  }

  private static func none(_ servers: [String]) -> Finding {
    if let server = servers.first {
      return .warning(
        "sound", "there is no sound card; sound goes where \(server) sends it",
        remedy: "plug in a sound card, if nothing is heard")
    }
    return .bad(
      "sound", "there is no sound card",
      remedy: "plug one in; hosts are served without one as well")
  }

  private static func isClosed(
    _ card: SoundCard, _ output: SoundCard.Output, _ surroundings: Surroundings
  ) -> Bool {
    let path = "\(surroundings.root)/dev/snd/pcmC\(card.number)D\(output.device)p"
    return access(path, R_OK | W_OK) != 0 && errno == EACCES
  }
}
