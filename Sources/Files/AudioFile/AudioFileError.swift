import Glibc
import LocalSystem

/// The reason why an audio file was not written. In all cases the destination is unchanged.
public enum AudioFileError: Error, Equatable, Sendable, CustomStringConvertible {
  /// The format is invalid; reported before anything is written.
  case format(AudioFormatError)
  /// No file can be created at `path`; `code` is an `errno` value.
  case cannotCreate(path: String, code: CInt)
  /// The file at `path` must not be replaced: Portative has not written it, or it has changed since.
  case alreadyExists(path: String)
  /// A symbolic link or `..` leads out of the required folder.
  case outside(path: String, folder: String)
  /// The system could not write the samples: disk full, over quota, or I/O error; `code` is an `errno` value.
  case cannotWrite(path: String, code: CInt)
  /// The program that reads the pipe has ended.
  case brokenPipe
  /// The audio is too long for the container's length fields.
  case tooLong(AudioFormat.Container)
  /// A sample is infinite or NaN: an error of the renderer.
  case notFinite(frame: Int)
  /// The encoder failed with its own message.
  case encoder(path: String, message: String)

  public var description: String {
    switch self {
    case .format(let error):
      return error.description
    case .cannotCreate(let path, let code):
      return "cannot create '\(path)': \(errnoDescription(code))\(Self.remedy(code))"
    case .alreadyExists(let path):
      return "'\(path)' already exists, and Portative has not written it, or it has changed since"
    case .outside(let path, let folder):
      return "'\(path)' would not be in '\(folder)': a symbolic link leads out of it"
    case .cannotWrite(let path, let code):
      return "cannot write '\(path)': \(errnoDescription(code))\(Self.remedy(code))"
    case .brokenPipe:
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

  /// Whether a disk or a quota is full.
  package var isOutOfSpace: Bool {
    switch self {
    case .cannotCreate(_, let code), .cannotWrite(_, let code): code == ENOSPC || code == EDQUOT
    default: false
    }
  }

  private static func remedy(_ code: CInt) -> String {
    switch code {
    case ENOSPC, EDQUOT: "; free some space, or choose another folder"
    case ENOENT: "; create the folder first"
    case EMFILE: "; raise the limit of open files (ulimit -n), or write fewer at once"
    case EACCES, EPERM, EROFS: "; choose a folder with write permission"
    case ENAMETOOLONG: "; give the song, or its output, a shorter name"
    case EFBIG: "; raise the file size limit (ulimit -f), or choose another folder"
    default: ""
    }
  }
}
