import Glibc
import LocalSystem

/// Why the ALSA sequencer does not do what it is asked. Codes are `errno`s.
public enum SequencerError: Error, Equatable, Sendable, CustomStringConvertible {
  case unavailable(code: CInt)
  /// Events came faster than they were taken, and are lost.
  case overrun
  /// One of them is not there, or does not send or receive what others may subscribe to.
  case cannotConnect(sender: PortAddress, receiver: PortAddress)
  case failed(operation: String, code: CInt)

  public var description: String { remedy.map { "\(finding); \($0)" } ?? finding }

  /// What to do about it; `nil` where that is not known, or said with it.
  package var remedy: String? {
    switch self {
    case .unavailable(ENOENT), .unavailable(ENODEV), .unavailable(ENXIO):
      "run 'sudo modprobe snd-seq'"
    case .unavailable(EACCES), .unavailable(EPERM): "join the group 'audio', and log in again"
    case .unavailable, .overrun, .failed: nil
    case .cannotConnect: "'aconnect -l' lists those that are"
    }
  }

  /// What is wrong.
  package var finding: String {
    switch self {
    case .unavailable(ENOENT), .unavailable(ENODEV), .unavailable(ENXIO):
      "no MIDI keyboards: the kernel's sequencer is not loaded"
    case .unavailable(EACCES), .unavailable(EPERM):
      "no MIDI keyboards: /dev/snd/seq is closed to you"
    case .unavailable(let code):
      "no MIDI keyboards: /dev/snd/seq cannot be opened: \(errnoDescription(code))"
    case .overrun:
      "MIDI events were lost: they came faster than they were played"
    case .cannotConnect(let sender, let receiver):
      "cannot connect \(sender) to \(receiver): one of them is not there, or not open to others"
    case .failed(let operation, let code):
      "the ALSA sequencer cannot \(operation): \(errnoDescription(code))"
    }
  }
}
