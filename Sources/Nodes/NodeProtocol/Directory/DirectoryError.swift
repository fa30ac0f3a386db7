import LocalSystem

/// A required folder that cannot be used. Codes are `errno`s.
public enum DirectoryError: Error, Equatable, Sendable, CustomStringConvertible {
  case cannotCreate(path: String, code: CInt)
  case unreadable(path: String, code: CInt)
  /// The runtime folder is not a folder, belongs to another user, or is accessible to other users.
  case notPrivate(path: String, found: String)
  case noHome

  public var description: String {
    switch self {
    case .cannotCreate(let path, let code):
      "cannot create the folder '\(path)': \(errnoDescription(code)); create it, or set the "
        + "variable that names it to another folder"
    case .unreadable(let path, let code):
      "cannot read the folder '\(path)': \(errnoDescription(code))"
    case .notPrivate(let path, let found):
      "the folder '\(path)' \(found), but must be accessible only to you (mode 0700), because "
        + "nodes are found there: remove it, or set XDG_RUNTIME_DIR to a folder of your own"
    case .noHome:
      "there is no folder for saved state: set HOME or XDG_STATE_HOME"
    }
  }
}
