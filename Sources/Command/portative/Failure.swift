import AudioFile
import Configuration
import FluidSynthEngine
import Glibc
import LocalSystem
import OfflineRenderer

/// Something that ends the run, or one song of it: one sentence with its remedy, and an exit code.
struct Failure: Error, Equatable {
  let code: ExitCode
  let message: String
  /// The signal by which the program should end, once it has cleaned up; then nothing is said.
  let signal: CInt?

  init(_ code: ExitCode, _ message: String, signal: CInt? = nil) {
    self.code = code
    self.message = message
    self.signal = signal
  }

  static func interrupted(by signal: CInt) -> Failure {
    Failure(.failed, "interrupted", signal: signal)
  }

  /// Standard output did not take all that was to be written there.
  static func standardOutput(_ code: CInt) -> Failure {
    Failure(
      .outputNotWritten, "cannot write standard output: \(errnoDescription(code))",
      signal: code == EPIPE ? SIGPIPE : nil)
  }

  static func usage(_ message: String) -> Failure { Failure(.usage, message) }

  init(_ error: AudioFormatError) {
    self.init(.usage, error.description)
  }

  init(_ error: AudioFileError) {
    switch error {
    case .format(let error): self.init(error)
    case .readerGone: self.init(.outputNotWritten, error.description, signal: SIGPIPE)
    case .inTheWay:
      self.init(
        .outputNotWritten,
        "\(error): rename it, choose another place, or replace it with --overwrite")
    case .cannotCreate, .cannotWrite, .outside, .tooLong, .encoder:
      self.init(.outputNotWritten, error.description)
    case .notFinite: self.init(.failed, error.description)
    }
  }

  init(_ error: SoundFontError) {
    switch error {
    case .configuration(let error): self.init(error)
    case .noneFound, .unreadable, .notASoundFont, .cutShort:
      self.init(.soundFontUnusable, error.description)
    }
  }

  init(_ error: ConfigurationError) {
    self.init(.inputUnusable, error.description)
  }

  /// - Parameter input: The song, as it was named.
  init(_ error: RenderError, input: String) {
    switch error {
    case .instrument(let error): self.init(error)
    case .player(let reason): self.init(.failed, reason)
    case .file(let error): self.init(error)
    case .thread(let error): self.init(.failed, error.description)
    case .timeline(let error):
      self.init(.inputUnusable, "cannot play \(InputFile.name(input)): \(error)")
    case .emptyRange(let start, _, let length):
      self.init(
        .usage,
        "--from \(OptionValue.brief(start)) must be before the end of \(InputFile.name(input)), "
          + "which is \(decimal(length, digits: 2)) s long")
    case .tooLong(let seconds, let limit, let pause):
      // Damage to a single byte can make a pause of hours.
      let isOdd = pause.upperBound - pause.lowerBound > seconds / 2
      let reason =
        isOdd
        ? "nothing happens from \(ProgressLine.clock(pause.lowerBound)) to "
          + "\(ProgressLine.clock(pause.upperBound)), so it may be damaged; if not, " : ""
      self.init(
        .inputUnusable,
        "\(InputFile.name(input)) is \(ProgressLine.clock(seconds)) long, more than --max-length "
          + "\(ProgressLine.clock(limit)): \(reason)raise that, or use --to")
    case .tooManyStems:
      self.init(.usage, "no stems of \(InputFile.name(input)): \(error)")
    case .cancelled: self = .interrupted(by: Interruption.signal ?? SIGINT)
    case .refused: self.init(.warnings, "\(InputFile.name(input)) was refused: \(error)")
    }
  }

  init(_ error: InstrumentError) {
    let code: ExitCode =
      switch error {
      case .soundFontUnreadable, .notASoundFont, .noSuchPreset: .soundFontUnusable
      case .rateOutOfRange, .settingOutOfRange, .noSuchReverbEngine: .usage
      case .unusableLibrary, .outOfMemory, .noMemoryForSoundFont: .failed
      }
    self.init(code, error.description)
  }
}
