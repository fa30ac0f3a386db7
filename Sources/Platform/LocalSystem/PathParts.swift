/// Paths are split at Unicode scalars: a slash before a combining accent separates too, although Swift combines both
/// into one character.
extension String {
  package var lastSlash: Index? { unicodeScalars.lastIndex(of: "/") }

  /// The folder with its trailing slash, and the name after it.
  package var folderAndName: (folder: Substring, name: Substring) {
    let start = lastSlash.map(unicodeScalars.index(after:)) ?? startIndex
    return (self[..<start], self[start...])
  }

  /// The parts between slashes, without empty ones.
  package var pathParts: [String] {
    unicodeScalars.split(separator: "/").map { String(String.UnicodeScalarView($0)) }
  }
}
