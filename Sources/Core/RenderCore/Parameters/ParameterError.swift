/// The reason why a parameter cannot be set. Its description is a sentence for the user.
public enum ParameterError: Error, Equatable, Sendable, CustomStringConvertible {
  case outOfRange(Parameter, Float)
  case unknown(identifier: String, known: [String])

  public var description: String {
    switch self {
    case .outOfRange(let parameter, let value):
      "\(parameter.identifier) must be \(Self.text(parameter.minimum)) to "
        + "\(Self.text(parameter.maximum))\(Self.symbol(parameter)), but is \(Self.text(value))"
    case .unknown(let identifier, let known):
      "there is no parameter '\(identifier)': "
        + (known.isEmpty ? "the unit has none" : "the unit has " + known.joined(separator: ", "))
    }
  }

  private static func text(_ value: Float) -> String {
    guard let whole = Int(exactly: value) else { return "\(value)" }
    return "\(whole)"
  }

  private static func symbol(_ parameter: Parameter) -> String {
    parameter.unit.symbol.isEmpty ? "" : " \(parameter.unit.symbol)"
  }
}
