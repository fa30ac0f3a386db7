import Glibc

/// Where a path leads when all links are followed; `nil` where nothing is.
package func resolvedPath(_ path: String) -> String? {
  guard let resolved = realpath(path.platformString, nil) else { return nil }
  defer { free(resolved) }
  return String(platformString: resolved)
}
