import Glibc

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

/// Returns the absolute path with all symbolic links resolved; `nil` if the file does not exist.
package func resolvedPath(_ path: String) -> String? {
  guard let resolved = realpath(path.platformString, nil) else { return nil }
  defer { free(resolved) }
  return String(platformString: resolved)
}

/// Returns the path, relative to the current folder unless it begins with `/`. Links are not resolved.
package func absolutePath(_ path: String) -> String {
  if path.hasPrefix("/") { return path }
  guard let folder = getcwd(nil, 0) else { return path }
  defer { free(folder) }
  return "\(String(platformString: folder))/\(path)"
}
