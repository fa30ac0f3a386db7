/// What a port takes; what it gives is audio, always.
public enum PortType: String, Hashable, Sendable, CaseIterable {
  /// Takes MIDI.
  case instrument
  /// Takes audio.
  case effect
  /// Takes both: a vocoder, an effect whose parameters are played.
  case musicEffect
  /// Takes neither.
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
      throw decoder.refusal("'\(text)' is no type of port: write one of \(known)")
    }
    self = type
  }
}
