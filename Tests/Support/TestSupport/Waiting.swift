import Glibc

/// Waits until a condition is true.
///
/// - Returns: `false` if it is still false after 30 seconds.
package func eventually(_ condition: () throws -> Bool) rethrows -> Bool {
  let deadline = ContinuousClock.now + .seconds(30)
  while try !condition() {
    if ContinuousClock.now > deadline { return false }
    usleep(1000)
  }
  return true
}
