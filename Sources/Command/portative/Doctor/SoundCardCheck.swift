import ALSA
import Glibc
import LocalSystem

/// Lists the sound cards and the programs that use them. ``DefaultSoundCheck`` decides whether playing is possible.
enum SoundCardCheck {
  static func findings(in environment: ProcessEnvironment) -> [Finding] {
    let isShared = !SoundServerCheck.servers(in: environment).isEmpty
    return SoundCard.all(in: environment).flatMap { card in
      card.outputs.map { output in
        finding(card, output, isShared: isShared, environment)
      }
    }
  }

  /// - Parameter isShared: Whether a sound server lets several programs play at once.
  private static func finding(
    _ card: SoundCard, _ output: SoundCard.Output, isShared: Bool, _ environment: ProcessEnvironment
  ) -> Finding {
    let name = "\(card.name), \(output.name) (\(card.deviceName(of: output)))"
    if !isShared, isClosed(card, output, environment) {
      return .warning(
        "sound card", "you have no permission to open \(name)",
        remedy: "sudo usermod -aG audio $USER, then log in again")
    }
    if output.isFree { return .good("sound card", "\(name) is free") }
    let holders = output.holders.map(\.description).joined(separator: ", ")
    if isShared || output.holders.contains(where: \.isPortative) {
      return .good("sound card", "\(name) is used by \(holders)")
    }
    return .warning(
      "sound card", "\(name) is used by \(holders), and no sound server is running to share it",
      remedy: "end that program, or install PipeWire (sudo apt install pipewire-alsa)")
  }

  private static func isClosed(
    _ card: SoundCard, _ output: SoundCard.Output, _ environment: ProcessEnvironment
  ) -> Bool {
    let path = "\(environment.root)/dev/snd/pcmC\(card.number)D\(output.device)p"
    return access(path, R_OK | W_OK) != 0 && errno == EACCES
  }
}

/// Checks whether the ALSA sequencer, and thus keyboards, can be used.
enum SequencerCheck {
  static func findings(in environment: ProcessEnvironment) -> [Finding] {
    let code = SystemFiles(environment: environment).probe("/dev/snd/seq")
    if code == 0 { return [.good("keyboards", "the kernel's sequencer is available")] }
    // The same message as a server's.
    let error = SequencerError.unavailable(code: code)
    return [.bad("keyboards", error.finding, remedy: error.remedy ?? "see 'dmesg'")]
  }
}
