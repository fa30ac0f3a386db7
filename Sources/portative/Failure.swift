import AudioFile
import Configuration
import Glibc

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

  static func usage(_ message: String) -> Failure { Failure(.usage, message) }

  init(_ error: AudioFormatError) {
    self.init(.usage, error.description)
  }

  init(_ error: AudioFileError) {
    switch error {
    case .format(let error): self.init(error)
    case .readerGone: self.init(.outputNotWritten, error.description, signal: SIGPIPE)
    case .cannotCreate, .cannotWrite, .tooLong, .encoder:
      self.init(.outputNotWritten, error.description)
    case .notFinite: self.init(.failed, error.description)
    }
  }

  init(_ error: SoundFontError) {
    self.init(.soundFontUnusable, error.description)
  }
}
