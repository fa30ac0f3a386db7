import Glibc

/// Writes a line to standard error, for hosts without a log. Threads: any.
package func writeToStandardError(_ line: String) {
  let bytes = Array((line + "\n").utf8)
  _ = write(STDERR_FILENO, bytes, bytes.count)
}
