import LocalSystem

/// A control of a keyboard, and what it controls: an element of `controls` in the configuration file.
///
/// It names one message: `controller`, `note`, `program`, `pitchBend` or `pressure`. It controls a `parameter` of a
/// `port`, or it `does` something.
public struct ControlSettings: Codable, Equatable, Sendable {
  /// The number, 0…119; with ``fine`` that of the upper bits, 0…31.
  public var controller: Int?
  /// Whether the controller has 14 bits.
  public var fine: Bool?
  /// How an endless encoder sends its steps: `twosComplement`, `offset` or `signMagnitude`.
  public var relative: String?
  public var note: Int?
  public var program: Program?
  public var pitchBend: Bool?
  public var pressure: Bool?
  /// 1…16; all channels by default.
  public var channel: Int?
  /// The name of the keyboard, with `*`, `?` and `[…]` as in file names; all keyboards by default.
  public var keyboard: String?

  /// The name of the port, or a part of it.
  public var port: String?
  public var parameter: String?
  /// The parameter's values at both ends of the control; those of the parameter by default.
  public var from, to: Double?
  /// Whether the parameter follows only after the control has passed its value.
  public var pickup: Bool?
  /// `panic`, `scene`, `nextScene`, `previousScene`, `transposeUp`, `transposeDown`, `transposeReset`, `toggleTrack`,
  /// `startTrack`, `stopTrack`, `tapTempo` or `toggleClick`.
  public var does: String?
  /// The name of the scene.
  public var scene: String?

  public init() {}

  enum CodingKeys: String, CodingKey, CaseIterable {
    case controller, fine, relative, note, program, pitchBend, pressure, channel, keyboard
    case port, parameter, from, to, pickup, does, scene
  }

  /// The program of a program change.
  public enum Program: Codable, Equatable, Sendable {
    case any
    case number(Int)

    public init(from decoder: any Decoder) throws {
      let container = try decoder.singleValueContainer()
      if (try? container.decode(String.self)) == "any" {
        self = .any
      } else if let number = try? container.decode(Double.self), let whole = Int(exactly: number) {
        self = .number(whole)
      } else {
        throw DecodingError.dataCorrupted(
          .init(
            codingPath: decoder.codingPath,
            debugDescription: "it must be a whole number or \"any\""))
      }
    }

    public func encode(to encoder: any Encoder) throws {
      var container = encoder.singleValueContainer()
      switch self {
      case .any: try container.encode("any")
      case .number(let number): try container.encode(number)
      }
    }
  }
}
