package import LocalSystem

extension SoundFontError: FailureConvertible {
  package var failure: Failure {
    switch self {
    case .configuration(let error): error.failure
    case .noneFound, .unreadable, .notASoundFont, .cutShort:
      Failure(.soundFontUnusable, description)
    }
  }
}

extension ConfigurationError: FailureConvertible {
  package var failure: Failure { Failure(.inputUnusable, description) }
}
