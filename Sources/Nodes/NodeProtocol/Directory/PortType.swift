/// The kind of input that a port accepts. Every port produces audio.
public enum PortType: String, Hashable, Sendable, CaseIterable {
  /// Accepts MIDI.
  case instrument
  /// Accepts audio.
  case effect
  /// Accepts MIDI and audio: a vocoder, or an effect whose parameters are played.
  case musicEffect
  /// Accepts no input.
  case generator

  public var takesMIDI: Bool { self == .instrument || self == .musicEffect }
  public var takesAudio: Bool { self == .effect || self == .musicEffect }
}

extension PortType: CustomStringConvertible {
  public var description: String { rawValue }
}

extension PortType: Codable {
  public init(from decoder: any Decoder) throws {
    let text = try decoder.singleValueContainer().decode(String.self)
    guard let type = Self(rawValue: text) else {
      let known = Self.allCases.map(\.rawValue).joined(separator: ", ")
      throw decoder.invalidValue("'\(text)' is not a port type: write one of \(known)")
    }
    self = type
  }
}

extension PortType {
  /// The names of the stereo pairs of an output with several pairs.
  ///
  /// An instrument with 34 channels has a pair for each of the sixteen MIDI channels, and one for the effects.
  ///
  /// - Returns: `nil` if the pairs have no names.
  package func outputPairs(channels: Int) -> [String]? {
    guard self == .instrument, channels == 34 else { return nil }
    return (1...16).map { "Channel \($0)" } + ["Effects"]
  }
}
