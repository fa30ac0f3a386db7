import ALSABridge
import LocalSystem

/// Whether keyboards can be reached.
enum SequencerCheck {
  static func findings(in surroundings: Surroundings) -> [Finding] {
    let code = SystemFiles(surroundings: surroundings).probe("/dev/snd/seq")
    if code == 0 { return [.good("keyboards", "the kernel's sequencer is there, and open to you")] }
    // The sentence is the one that a server says.
    let sentence = SequencerError.unavailable(code: code).description
    let parts = sentence.split(separator: "; ", maxSplits: 1).map(String.init)
    return [
      .bad("keyboards", parts[0], remedy: parts.count == 2 ? parts[1] : "see 'dmesg' for more")
    ]
  }
}
