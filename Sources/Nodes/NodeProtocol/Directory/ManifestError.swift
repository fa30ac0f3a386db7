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
