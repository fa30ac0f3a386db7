import Glibc

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
