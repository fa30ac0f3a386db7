import Configuration
import LocalSystem
import RenderCore

/// The values of a parameter as users write and read them.
struct ParameterText {
  let parameter: Parameter

  /// Returns the name of a value that has one, otherwise the shortest number that identifies it.
  func text(_ value: Float) -> String {
    let index = Int(value - parameter.minimum)
    return parameter.valueNames.indices.contains(index)
      ? parameter.valueNames[index] : value.shortestText
  }

  /// Reads a number or the name of a value.
  ///
  /// - Throws: ``Failure`` with the names or the range.
  func value(_ text: String) throws(Failure) -> Float {
    if let index = parameter.valueNames.firstIndex(where: { $0.lowercased() == text.lowercased() })
    {
      return parameter.minimum + Float(index)
    }
    if let value = Float(text), value.isFinite { return value }
    let names = parameter.valueNames
    throw .usage(
      "\(parameter.identifier) must be "
        + (names.isEmpty
          ? "a number from \(self.text(parameter.minimum)) to \(self.text(parameter.maximum))"
          : "one of \(names.joined(separator: ", "))") + ", but is '\(text)'")
  }
}

extension Float {
  /// The shortest decimal text that identifies the value among all `Float` values.
  var shortestText: String { OptionValue.brief(Double("\(self)") ?? Double(self)) }
}
