import LocalSystem
package import SongPicture

/// The value of `--image`: a file, or a format for a file beside each song.
package enum ImageOption: Equatable, Sendable {
  case file(String, PictureFormat)
  case beside(PictureFormat)

  package var format: PictureFormat {
    switch self {
    case .file(_, let format), .beside(let format): format
    }
  }

  /// - Parameter text: The value; empty if there is none.
  /// - Throws: ``Failure/Kind/usage`` for a name without a known ending.
  init(_ text: String) throws(Failure) {
    guard let format = Self.format(of: text) else {
      throw .usage("--image must be a file that ends in .png or .svg, but was '\(text)'")
    }
    self = text.isEmpty || text == format.rawValue ? .beside(format) : .file(text, format)
  }

  /// Whether a word is a value, not the next operand.
  static func takes(_ text: String) -> Bool { !text.isEmpty && format(of: text) != nil }

  private static func format(of text: String) -> PictureFormat? {
    if text.isEmpty { return .png }
    if let format = PictureFormat(rawValue: text) { return format }
    let name = SongPath.lastPart(text)
    let ending = name.lastIndex(of: ".").map { name[name.index(after: $0)...] }
    return ending.flatMap { PictureFormat(rawValue: $0.lowercased()) }
  }
}
