import LocalSystem
package import RenderCore

/// The numbers of channels with which a port can be initialized.
///
/// A unit may still refuse some of them: more inputs than outputs, or six outputs of eight.
///
/// The JSON form is an object with the fields `inputs` and `outputs`, each with `minimum` and `maximum`.
public struct PortChannels: Hashable, Sendable {
  /// 0…0 for instruments and generators.
  public let inputs: ClosedRange<Int>
  public let outputs: ClosedRange<Int>

  /// - Parameters:
  ///   - inputs: Within ``Format/inputChannelCounts``, 0…64.
  ///   - outputs: Within ``Format/outputChannelCounts``, 1…64.
  /// - Throws: ``DescriptionError`` for other numbers.
  public init(inputs: ClosedRange<Int>, outputs: ClosedRange<Int>) throws(DescriptionError) {
    self.inputs = inputs
    self.outputs = outputs
    for (name, own, all) in [
      ("inputs", inputs, Format.inputChannelCounts),
      ("outputs", outputs, Format.outputChannelCounts),
    ] where own.clamped(to: all) != own {
      throw DescriptionError(
        field: "channels", value: "\(own.text) \(name)",
        remedy: "a port has \(all.lowerBound) to \(all.upperBound) \(name)")
    }
  }

  /// Checks the numbers of channels of a format.
  ///
  /// - Throws: ``FormatError`` with the field and its range.
  package func check(_ format: Format) throws(FormatError) {
    try Format.check("inputChannels", format.inputChannels, in: inputs)
    try Format.check("outputChannels", format.outputChannels, in: outputs)
  }

  /// Returns a format with the nearest numbers of channels.
  package func nearest(to format: Format) -> Format {
    var format = format
    format.inputChannels = min(max(format.inputChannels, inputs.lowerBound), inputs.upperBound)
    format.outputChannels = min(max(format.outputChannels, outputs.lowerBound), outputs.upperBound)
    return format
  }

  /// As in `0 to 2 inputs, 2 outputs`.
  package var text: String { "\(inputs.text) inputs, \(outputs.text) outputs" }
}

extension ClosedRange<Int> {
  fileprivate var text: String { count == 1 ? "\(lowerBound)" : "\(lowerBound) to \(upperBound)" }
}

extension PortDescription {
  /// A format with two channels each way, or with those that are nearest of ``channels``. A unit may still refuse it.
  package var usualFormat: Format {
    let format = Format(inputChannels: component.type.takesAudio ? 2 : 0)
    return channels?.nearest(to: format) ?? format
  }
}

extension PortChannels: Codable {
  private enum Key: String, CodingKey { case inputs, outputs }

  public init(from decoder: any Decoder) throws {
    let fields = try decoder.container(keyedBy: Key.self)
    func range(_ key: Key) throws -> ClosedRange<Int> {
      let range = try fields.decode(ProtocolError.AllowedRange.self, forKey: key)
      guard range.minimum <= range.maximum else {
        throw decoder.invalidValue(
          "the minimum \(range.minimum) must not be above the maximum \(range.maximum)", at: key)
      }
      return range.minimum...range.maximum
    }
    let (inputs, outputs) = (try range(.inputs), try range(.outputs))
    do {
      try self.init(inputs: inputs, outputs: outputs)
    } catch {
      throw decoder.invalidValue(error.description, at: Key.inputs)
    }
  }

  public func encode(to encoder: any Encoder) throws {
    var fields = encoder.container(keyedBy: Key.self)
    try fields.encode(ProtocolError.AllowedRange(inputs), forKey: .inputs)
    try fields.encode(ProtocolError.AllowedRange(outputs), forKey: .outputs)
  }
}
