import Configuration
import FluidSynthEngine
import Glibc
import LocalSystem

/// Why a process that rendered songs ended before they were done.
enum RenderFault: Equatable, Sendable {
  case signal(CInt)
  /// It was ended because it made no progress.
  case stalled
  /// A library ended it with this status.
  case exited(CInt)

  /// Returns the fault that the status of `waitpid` stands for; `nil` if the process ended itself as it should.
  init?(status: CInt) {
    let number = status & 0x7F
    if number == 0 { return nil }
    // A signal of the user or the system, which the process has handled, or a closed pipe.
    if [SIGINT, SIGTERM, SIGHUP, SIGPIPE].contains(number) { return nil }
    self = .signal(number)
  }

  private func text(stallLimit: Int) -> String {
    switch self {
    case .signal(let number): "was ended by \(Self.name(number))"
    case .stalled: "made no progress in \(counted(stallLimit, "second")) of processor time"
    case .exited(let status): "ended the process with status \(status)"
    }
  }

  private static func name(_ number: CInt) -> String {
    let names = [
      SIGSEGV: "SIGSEGV", SIGBUS: "SIGBUS", SIGABRT: "SIGABRT", SIGFPE: "SIGFPE", SIGILL: "SIGILL",
      SIGTRAP: "SIGTRAP", SIGKILL: "SIGKILL, perhaps because memory ran out",
    ]
    return names[number] ?? "signal \(number)"
  }

  /// The failure of a SoundFont that cannot be loaded.
  func failure(loading soundFont: String, stallLimit: Int) -> Failure {
    Failure(
      .soundFontUnusable,
      "\(soundFont) is not a usable SoundFont (FluidSynth \(FluidSynthLibrary.version) "
        + "\(text(stallLimit: stallLimit)) when it loaded it): give another SoundFont\(remedy)")
  }

  /// The failure of a song that was not loaded.
  func failure(reading input: String, stallLimit: Int) -> Failure {
    Failure(
      .failed,
      "cannot read \(InputFile.name(input)): portative \(text(stallLimit: stallLimit)); please report "
        + "this with the song")
  }

  /// The failure of a song that was being rendered.
  func failure(playing input: String, with soundFont: String, stallLimit: Int) -> Failure {
    Failure(
      .failed,
      "cannot render \(InputFile.name(input)) with the SoundFont \(soundFont): FluidSynth "
        + "\(FluidSynthLibrary.version) \(text(stallLimit: stallLimit)); use another SoundFont\(remedy)"
    )
  }

  private var remedy: String {
    switch self {
    case .signal(SIGKILL): " or fewer --jobs"
    case .stalled: ", or raise --max-stall"
    // Swift's own checks end a process by these.
    case .signal(SIGILL), .signal(SIGTRAP):
      ", and please report this with the song and the SoundFont"
    case .signal, .exited: addressSpaceRemedy
    }
  }

  // FluidSynth does not check all of its small blocks of memory for null.
  private var addressSpaceRemedy: String {
    guard let limit = ResourceLimit.addressSpace.value else { return "" }
    return ", or raise the limit of the address space (ulimit -v), which is \(limit >> 20) MB"
  }
}
