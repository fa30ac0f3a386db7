import Glibc
package import NodeHost

/// Waits until a condition is true.
///
/// - Returns: `false` if it is still false after at least twenty seconds.
package func eventually(_ condition: () throws -> Bool) rethrows -> Bool {
  for _ in 0..<4000 {
    if try condition() { return true }
    usleep(5000)
  }
  return false
}

/// Returns the connection error that `body` throws, or `nil`.
package func failure(_ body: () throws -> Void) -> ConnectionError? {
  do {
    try body()
    return nil
  } catch {
    return error as? ConnectionError
  }
}
