import Glibc
package import NodeHost

/// Waits until something is so; a failing test ends after twenty seconds.
package func eventually(_ what: () throws -> Bool) rethrows -> Bool {
  for _ in 0..<4000 {
    if try what() { return true }
    usleep(5000)
  }
  return false
}

/// What a request failed with.
package func failure(_ body: () throws -> Void) -> ConnectionError? {
  do {
    try body()
    return nil
  } catch {
    return error as? ConnectionError
  }
}
