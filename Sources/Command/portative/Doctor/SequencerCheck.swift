import ALSA
import LocalSystem

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
