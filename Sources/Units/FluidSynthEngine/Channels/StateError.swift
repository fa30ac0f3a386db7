/// Why a state cannot be restored.
public enum StateError: Error, Equatable, CustomStringConvertible {
  /// It is none of a FluidSynth instrument.
  case unknown
  case unknownVersion(Int)
  case broken(String)

  public var description: String {
    switch self {
    case .unknown:
      "this is no state of a FluidSynth instrument: give one that such an instrument saved"
    case .unknownVersion(let version):
      "the state is of version \(version), but this instrument knows versions 1 to "
        + "\(SavedChannels.version): restore it with the Portative that saved it, or a later one"
    case .broken(let finding):
      "the state is damaged (\(finding)): give one as it was saved"
    }
  }
}
