import Glibc

extension String {
  /// Whether the name of a keyboard matches a pattern with `*`, `?` and `[…]` as in file names; not case-sensitive.
  ///
  /// Source: `fnmatch(3)`.
  package func matches(namePattern pattern: String) -> Bool {
    fnmatch(pattern.lowercased(), lowercased(), 0) == 0
  }
}
