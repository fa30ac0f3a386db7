package import LocalSystem

extension InstrumentError: FailureConvertible {
  package var failure: Failure {
    switch self {
    case .soundFontUnreadable, .notASoundFont, .noSuchPreset:
      Failure(.soundFontUnusable, description)
    case .rateOutOfRange, .settingOutOfRange, .noSuchReverbEngine: Failure(.usage, description)
    case .unusableLibrary, .outOfMemory, .noMemoryForSoundFont, .cannotStartThread:
      Failure(.failed, description)
    }
  }
}
