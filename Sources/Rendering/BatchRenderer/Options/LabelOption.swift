import LocalSystem
package import OfflineRenderer

/// The value of `--labels`: a file, or a format for a file beside each song.
package enum LabelOption: Equatable, Sendable {
  case file(String, LabelFormat)
  case beside(LabelFormat)

  var format: LabelFormat {
    switch self {
    case .file(_, let format), .beside(let format): format
    }
  }

  /// - Throws: ``Failure/Kind/usage`` for a name without a known ending.
  init(_ text: String) throws(Failure) {
    if let format = LabelFormat(rawValue: text) {
      self = .beside(format)
      return
    }
    let name = SongPath.lastPart(text)
    let ending = name.lastIndex(of: ".").map { name[name.index(after: $0)...] }
    guard let ending, let format = LabelFormat(rawValue: ending.lowercased()) else {
      throw .usage(
        "--labels must be a file that ends in .jsonl, .csv, .npz or .mid, but was '\(text)'")
    }
    self = .file(text, format)
  }
}
