package import NodeHost

extension ConnectionError {
  /// The invalid message because of which the connection was lost; `nil` for other errors.
  package var invalidMessage: InvalidMessage? {
    if case .invalidMessage(let message) = self { message } else { nil }
  }
}
