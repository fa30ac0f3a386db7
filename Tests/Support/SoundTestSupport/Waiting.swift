import Glibc

/// Waits until something is true.
///
/// - Returns: `false` when that has not come about in 30 seconds.
package func comesTrue(_ condition: () throws -> Bool) rethrows -> Bool {
  let deadline = ContinuousClock.now + .seconds(30)
  while try !condition() {
    if ContinuousClock.now > deadline { return false }
    usleep(1000)
  }
  return true
}
