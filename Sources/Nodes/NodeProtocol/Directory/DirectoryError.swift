import Glibc
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

/// A field of a description with an invalid value.
public struct DescriptionError: Error, Equatable, Sendable, CustomStringConvertible {
  public let field: String
  public let value: String
  /// The remedy, as an imperative clause.
  public let remedy: String

  public var description: String { "the \(field) cannot be '\(value.quotable)': \(remedy)" }
}

/// A manifest that is unusable or could not be written.
public enum ManifestError: Error, Equatable, Sendable, CustomStringConvertible {
  /// `reason` is a clause that gives the field, its value and what to write instead.
  case unusable(file: String, reason: String)
  case notWritten(file: String, reason: String)

  public var description: String {
    switch self {
    case .unusable(let file, let reason):
      "the manifest '\(file)' is unusable: \(reason); fix or remove it"
    case .notWritten(let file, let reason):
      "cannot write the manifest '\(file)': \(reason)"
    }
  }
}

extension Folder {
  /// Returns the names in a folder that end in `suffix`, without the suffix, sorted; an empty array if the folder does
  /// not exist. Hidden files are skipped because they may be incomplete.
  static func names(in path: String, suffix: String) throws(DirectoryError) -> [String] {
    do throws(WholeFile.Failure) {
      return try names(in: path)?.filter { !$0.hasPrefix(".") && $0.hasSuffix(suffix) }
        .map { String($0.dropLast(suffix.count)) }.sorted() ?? []
    } catch {
      throw .unreadable(path: path, code: error.code)
    }
  }
}
