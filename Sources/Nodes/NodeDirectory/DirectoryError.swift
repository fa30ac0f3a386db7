import LocalSystem

/// A folder that is needed and cannot be used. Codes are `errno`s.
public enum DirectoryError: Error, Equatable, Sendable, CustomStringConvertible {
  case cannotCreate(path: String, code: CInt)
  case unreadable(path: String, code: CInt)
  /// The folder of running nodes is another user's, or open to others.
  case notPrivate(path: String, found: String)
  case noHome

  public var description: String {
    switch self {
    case .cannotCreate(let path, let code):
      "cannot create the folder '\(path)': \(errnoDescription(code)); create it, or choose another "
        + "place with the variable that names it"
    case .unreadable(let path, let code):
      "cannot look into the folder '\(path)': \(errnoDescription(code))"
    case .notPrivate(let path, let found):
      "the folder '\(path)' \(found), but must be yours alone (mode 0700), for programs are found "
        + "there: remove it, or set XDG_RUNTIME_DIR to a folder of your own"
    case .noHome:
      "there is no place to keep state: set HOME or XDG_STATE_HOME"
    }
  }
}
