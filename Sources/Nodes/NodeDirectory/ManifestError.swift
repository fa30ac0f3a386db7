/// A manifest that is of no use, or that could not be written.
public enum ManifestError: Error, Equatable, Sendable, CustomStringConvertible {
  /// `reason` is a clause that names the field, its value and what to write.
  case unusable(file: String, reason: String)
  case notWritten(file: String, reason: String)

  public var description: String {
    switch self {
    case .unusable(let file, let reason):
      "the manifest '\(file)' is of no use: \(reason); mend it or remove it"
    case .notWritten(let file, let reason):
      "cannot write the manifest '\(file)': \(reason)"
    }
  }
}
