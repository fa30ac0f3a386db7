/// The reason why a state cannot be restored.
public enum StateError: Error, Equatable, CustomStringConvertible {
  /// The data is not a state of a FluidSynth instrument.
  case unknown
  case unknownVersion(Int)
  case broken(String)

  public var description: String {
    switch self {
    case .unknown:
      "this is not a state of a FluidSynth instrument: give one that such an instrument saved"
    case .unknownVersion(let version):
      "the state has version \(version), but this instrument supports versions 1 to "
        + "\(SavedChannels.version): use the version of Portative that saved it, or a later one"
    case .broken(let finding):
      "the state is damaged (\(finding)): give an unmodified one"
    }
  }
}
