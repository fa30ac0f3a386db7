package import AudioFile
package import Configuration
package import FluidSynthEngine
import Glibc
package import LocalSystem
package import OfflineRenderer
import Options

extension Failure {
  package init(_ error: AudioFormatError) {
    self.init(.usage, error.description)
  }

  package init(_ error: AudioFileError) {
    switch error {
    case .format(let error): self.init(error)
    case .brokenPipe: self.init(.outputNotWritten, error.description, signal: SIGPIPE)
    case .alreadyExists:
      self.init(
        .outputNotWritten,
        "\(error): rename it, choose another place, or replace it with --overwrite")
    case .cannotCreate, .cannotWrite, .outside, .tooLong, .encoder:
      self.init(.outputNotWritten, error.description)
    case .notFinite: self.init(.failed, error.description)
    }
  }

  package init(_ error: SoundFontError) {
    switch error {
    case .configuration(let error): self.init(error)
    case .noneFound, .unreadable, .notASoundFont, .cutShort:
      self.init(.soundFontUnusable, error.description)
    }
  }

  package init(_ error: ConfigurationError) {
    self.init(.inputUnusable, error.description)
  }

  /// - Parameter input: The song's path as the user gave it; `-` is standard input.
  package init(_ error: RenderError, input: String) {
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
      // A single damaged byte can produce a pause of hours.
      let isOdd = pause.upperBound - pause.lowerBound > seconds / 2
      let reason =
        isOdd
        ? "nothing happens from \(clockText(pause.lowerBound)) to "
          + "\(clockText(pause.upperBound)), so it may be damaged; if not, " : ""
      self.init(
        .inputUnusable,
        "\(InputFile.name(input)) is \(clockText(seconds)) long, more than --max-length "
          + "\(clockText(limit)): \(reason)raise that, or use --to")
    case .tooManyStems:
      self.init(.usage, "no stems of \(InputFile.name(input)): \(error)")
    case .cancelled: self = .interrupted(by: Interruption.signal ?? SIGINT)
    case .refused: self.init(.warnings, "\(InputFile.name(input)) was refused: \(error)")
    }
  }

  package init(_ error: InstrumentError) {
    let kind: Kind =
      switch error {
      case .soundFontUnreadable, .notASoundFont, .noSuchPreset: .soundFontUnusable
      case .rateOutOfRange, .settingOutOfRange, .noSuchReverbEngine: .usage
      case .unusableLibrary, .outOfMemory, .noMemoryForSoundFont: .failed
      }
    self.init(kind, error.description)
  }
}
