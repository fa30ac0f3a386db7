import AudioFile
import Configuration

/// Something that ends the run, or one song of it: one sentence with its remedy, and an exit code.
struct Failure: Error, Equatable {
  let code: ExitCode
  let message: String

  init(_ code: ExitCode, _ message: String) {
    self.code = code
    self.message = message
  }

  static func usage(_ message: String) -> Failure { Failure(.usage, message) }

  init(_ error: AudioFormatError) {
    self.init(.usage, error.description)
  }

  init(_ error: AudioFileError) {
    switch error {
    case .format(let error): self.init(error)
    case .cannotCreate, .cannotWrite, .readerGone, .tooLong, .encoder:
      self.init(.outputNotWritten, error.description)
    case .notFinite: self.init(.failed, error.description)
    }
  }

  init(_ error: SoundFontError) {
    self.init(.soundFontUnusable, error.description)
  }
}
