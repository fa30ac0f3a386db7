package import NodeHost

/// Returns the connection error that `body` throws, or `nil`.
package func failure(_ body: () throws -> Void) -> ConnectionError? {
  do {
    try body()
    return nil
  } catch {
    return error as? ConnectionError
  }
}
