import Glibc
import LocalSystem

/// Why an audio file was not written. Nothing is left at the destination in any of these cases; what
/// was there before is there still.
public enum AudioFileError: Error, Equatable, Sendable, CustomStringConvertible {
  /// What was asked for cannot be; found before anything is written.
  case format(AudioFormatError)
  /// No file can be made at `path`; `code` is an `errno`.
  case cannotCreate(path: String, code: CInt)
  /// There is a file at `path` that must not be replaced: Portative has not written it, or it has changed since.
  case inTheWay(path: String)
  /// A symbolic link, or `..`, leads out of the folder that the file must be in.
  case outside(path: String, folder: String)
  /// The system refused to take the samples: full, over quota, or failing; `code` is an `errno`.
  case cannotWrite(path: String, code: CInt)
  /// Whoever read the pipe has gone.
  case readerGone
  /// The container's length fields cannot count what was rendered.
  case tooLong(AudioFormat.Container)
  /// A sample is infinite or not a number: the fault of whoever rendered it.
  case notFinite(frame: Int)
  /// The encoder refused, in its own words.
  case encoder(path: String, message: String)

  public var description: String {
    switch self {
    case .format(let error):
      return error.description
    case .cannotCreate(let path, let code):
      return "cannot create '\(path)': \(errnoDescription(code))\(Self.remedy(code))"
    case .inTheWay(let path):
      return "'\(path)' is there already, and Portative has not written it, or it has changed since"
    case .outside(let path, let folder):
      return "'\(path)' would not be in '\(folder)': a symbolic link leads out of it"
    case .cannotWrite(let path, let code):
      return "cannot write '\(path)': \(errnoDescription(code))\(Self.remedy(code))"
    case .readerGone:
      return "the program that read the audio has ended"
    case .tooLong(let container):
      return "\(container.rawValue) holds at most 4 GiB of samples: "
        + "write wav, which becomes RF64, or w64"
    case .notFinite(let frame):
      return "the sample at frame \(frame) is not a finite number"
    case .encoder(let path, let message):
      return "cannot encode '\(path)': \(message)"
    }
  }

  private static func remedy(_ code: CInt) -> String {
    switch code {
    case ENOSPC, EDQUOT: "; make room, or choose another folder"
    case ENOENT: "; make the folder first"
    case EMFILE: "; raise the limit of open files (ulimit -n), or write fewer at once"
    case EACCES, EPERM, EROFS: "; choose a place where you may write"
    case ENAMETOOLONG: "; give the song, or its output, a shorter name"
    case EFBIG: "; raise the file size limit (ulimit -f), or choose another folder"
    default: ""
    }
  }
}
