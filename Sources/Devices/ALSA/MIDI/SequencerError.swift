import Glibc
import LocalSystem

/// An error of the ALSA sequencer. Codes are `errno` values.
public enum SequencerError: Error, Equatable, Sendable, CustomStringConvertible {
  case unavailable(code: CInt)
  /// Events arrived faster than they were read, and some were lost.
  case overrun
  /// One of the ports does not exist, or does not permit the subscription.
  case cannotConnect(sender: PortAddress, receiver: PortAddress)
  case failed(operation: String, code: CInt)

  public var description: String { remedy.map { "\(finding); \($0)" } ?? finding }

  /// The remedy; `nil` if none is known or ``finding`` contains it.
  package var remedy: String? {
    switch self {
    case .unavailable(ENOENT), .unavailable(ENODEV), .unavailable(ENXIO):
      "run 'sudo modprobe snd-seq'"
    case .unavailable(EACCES), .unavailable(EPERM): "join the group 'audio', and log in again"
    case .unavailable, .overrun, .failed: nil
    case .cannotConnect: "'aconnect -l' lists the available ports"
    }
  }

  /// The problem, without the remedy.
  package var finding: String {
    switch self {
    case .unavailable(ENOENT), .unavailable(ENODEV), .unavailable(ENXIO):
      "no MIDI keyboards: the kernel's sequencer is not loaded"
    case .unavailable(EACCES), .unavailable(EPERM):
      "no MIDI keyboards: no permission to open /dev/snd/seq"
    case .unavailable(let code):
      "no MIDI keyboards: /dev/snd/seq cannot be opened: \(errnoDescription(code))"
    case .overrun:
      "MIDI events were lost: they arrived faster than they were played"
    case .cannotConnect(let sender, let receiver):
      "cannot connect \(sender) to \(receiver): one of the ports does not exist or does not accept connections"
    case .failed(let operation, let code):
      "the ALSA sequencer cannot \(operation): \(errnoDescription(code))"
    }
  }
}
