import Configuration
package import LocalSystem
package import RenderCore

/// The values of a parameter as users write and read them.
package struct ParameterText {
  private let parameter: Parameter

  package init(parameter: Parameter) { self.parameter = parameter }

  /// Finds a parameter by its identifier.
  ///
  /// - Parameters:
  ///   - owner: What has the parameters, for the message.
  ///   - others: Further names, for the message about an unknown one.
  /// - Throws: ``Failure`` with the nearest name, or with all.
  package static func parameter(
    _ name: String, of owner: String, in tree: ParameterTree, others: [String] = []
  ) throws(Failure) -> Parameter {
    if let index = tree.index(of: name) { return tree.parameters[index] }
    let known = tree.parameters.map(\.identifier) + others
    throw .usage(
      "\(owner) has no parameter '\(name)': "
        + (closest(to: name, among: known).map { "did you mean \($0)?" }
          ?? "it has \(known.joined(separator: ", "))"))
  }

  /// Returns the name of a value that has one, otherwise the shortest number that identifies it.
  package func text(_ value: Float) -> String {
    let index = Int(value - parameter.minimum)
    return parameter.valueNames.indices.contains(index)
      ? parameter.valueNames[index] : value.shortestText
  }

  /// Reads a number or the name of a value.
  ///
  /// - Throws: ``Failure`` with the names or the range.
  package func value(_ text: String) throws(Failure) -> Float {
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
  package var shortestText: String { OptionValue.brief(Double("\(self)") ?? Double(self)) }
}
