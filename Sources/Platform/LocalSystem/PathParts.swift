/// A slash parts a path even before an accent, which Swift holds to be one character with it.
extension String {
  package var lastSlash: Index? { unicodeScalars.lastIndex(of: "/") }

  /// The folder with its slash, and the name in it.
  package var folderAndName: (folder: Substring, name: Substring) {
    let start = lastSlash.map(unicodeScalars.index(after:)) ?? startIndex
    return (self[..<start], self[start...])
  }

  /// What stands between slashes, the empty left out.
  package var pathParts: [String] {
    unicodeScalars.split(separator: "/").map { String(String.UnicodeScalarView($0)) }
  }
}
