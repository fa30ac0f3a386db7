import Glibc

/// Returns the absolute path with all symbolic links resolved; `nil` if the file does not exist.
package func resolvedPath(_ path: String) -> String? {
  guard let resolved = realpath(path.platformString, nil) else { return nil }
  defer { free(resolved) }
  return String(platformString: resolved)
}
