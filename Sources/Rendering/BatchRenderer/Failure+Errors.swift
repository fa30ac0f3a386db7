package import AudioFile
import Configuration
import FluidSynthEngine
import Glibc
package import LocalSystem
package import OfflineRenderer

extension AudioFormatError: FailureConvertible {
  package var failure: Failure { Failure(.usage, description) }
}

extension AudioFileError: FailureConvertible {
  package var failure: Failure {
    switch self {
    case .format(let error): error.failure
    case .brokenPipe: Failure(.outputNotWritten, description, signal: SIGPIPE)
    case .alreadyExists:
      Failure(
        .outputNotWritten,
        "\(self): rename it, choose another path, or replace it with --overwrite")
    case .cannotCreate, .cannotWrite, .outside, .tooLong, .encoder:
      Failure(.outputNotWritten, description, isOutOfSpace: isOutOfSpace)
    case .notFinite: Failure(.failed, description)
    }
  }
}

extension Failure {
  /// - Parameter input: The song's path as the user gave it; `-` is standard input.
  package init(_ error: RenderError, input: String) {
    switch error {
    case .instrument(let error): self = error.failure
    case .player(let reason): self.init(.failed, reason)
    case .file(let error): self = error.failure
    case .thread: self.init(.failed, error.description)
    case .timeline(let error):
      self.init(.inputUnusable, "cannot play \(InputFile.name(input)): \(error)")
    case .emptyRange(let start, _, let length):
      self.init(
        .usage,
        "--from \(timeText(start)) must be before the end of \(InputFile.name(input)), "
          + "which is \(timeText((length * 100).rounded() / 100))\(length < 60 ? " s" : "") long")
    case .tooLong(let seconds, let limit, let pause):
      // A single damaged byte can produce a pause of hours.
      let isOdd = pause.upperBound - pause.lowerBound > seconds / 2
      let reason =
        isOdd
        ? "it has no events from \(clockText(pause.lowerBound)) to "
          + "\(clockText(pause.upperBound)), so it may be damaged; if not, " : ""
      self.init(
        .inputUnusable,
        "\(InputFile.name(input)) is \(clockText(seconds)) long, more than --max-length "
          + "\(clockText(limit)): \(reason)raise that limit, or use --to")
    case .change: self.init(.usage, "\(InputFile.name(input)): \(error)")
    case .bar: self.init(.usage, "\(InputFile.name(input)): \(error)")
    case .tooManyStems, .tooManyNotes, .tooManyLoops:
      self.init(.usage, "cannot write stems of \(InputFile.name(input)): \(error)")
    case .cancelled: self = .interrupted(by: Interruption.signal ?? SIGINT)
    case .refused: self.init(.warnings, "\(InputFile.name(input)) was refused: \(error)")
    }
  }
}
