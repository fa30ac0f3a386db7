/// A range of keys: `"C2..B3"`, `"C4.."`, `"..B3"`, `"60"`, or `[36, 59]`. C4 is key 60.
public struct KeyRange: Decodable, Equatable, Sendable {
  public var keys: ClosedRange<UInt8>

  public init(from decoder: any Decoder) throws {
    let text = try? decoder.singleValueContainer().decode(String.self)
    guard let text else {
      keys = try decoder.range(in: 0...127, of: "keys")
      return
    }
    do throws(RangeError) {
      keys = try Self(text).keys
    } catch {
      throw DecodingError.invalid(error.reason, at: decoder.codingPath)
    }
  }

  /// - Throws: If the text is not a range of keys.
  public init(_ text: String) throws(RangeError) {
    let ends = text.split(separator: "..", maxSplits: 1, omittingEmptySubsequences: false)
    let low = ends[0].isEmpty && ends.count == 2 ? 0 : try Self.key(ends[0])
    let high = ends.count == 1 ? low : ends[1].isEmpty ? 127 : try Self.key(ends[1])
    if low > high {
      throw RangeError("the lowest key is above the highest in '\(text)': exchange them")
    }
    keys = low...high
  }

  public struct RangeError: Error {
    public let reason: String

    init(_ reason: String) { self.reason = reason }
  }

  private static func key(_ text: Substring) throws(RangeError) -> UInt8 {
    if let number = Int(text) {
      if let key = UInt8(exactly: number), key < 128 { return key }
    } else if let key = NoteName.key(text) {
      return key
    }
    throw RangeError(
      "'\(text)' is not a key: use names from C-1 to G9, such as F#3 (C4 is key 60), or 0 to 127")
  }
}

/// The names of keys.
public enum NoteName {
  private static let steps: [Character: Int] = [
    "C": 0, "D": 2, "E": 4, "F": 5, "G": 7, "A": 9, "B": 11,
  ]

  /// Returns the key of a name such as `C4`, `F#3` or `Bb-1`; `nil` if there is none.
  static func key(_ name: Substring) -> UInt8? {
    var rest = name[...]
    guard let letter = rest.popFirst(), let step = steps[Character(letter.uppercased())] else {
      return nil
    }
    var shift = 0
    while let sign = rest.first, "#♯b♭".contains(sign) {
      shift += "#♯".contains(sign) ? 1 : -1
      rest.removeFirst()
    }
    guard let octave = Int(rest), -1...9 ~= octave else { return nil }
    let key = 12 * (octave + 1) + step + shift
    return 0...127 ~= key ? UInt8(key) : nil
  }

  /// Returns the keys of a list of names or numbers with commas; `nil` if it is another text.
  package static func keys(_ text: String) -> [UInt8]? {
    let words = text.split(separator: ",", omittingEmptySubsequences: false)
    let keys = words.compactMap { word in
      UInt8(word).flatMap { $0 < 128 ? $0 : nil } ?? key(word)
    }
    return keys.count == words.count ? keys : nil
  }

  /// Returns the name of a key, such as `F#3`.
  public static func name(_ key: UInt8) -> String {
    let names = ["C", "C#", "D", "D#", "E", "F", "F#", "G", "G#", "A", "A#", "B"]
    return "\(names[Int(key) % 12])\(Int(key) / 12 - 1)"
  }
}

/// A range of velocities: `[1, 90]`.
public struct VelocityRange: Decodable, Equatable, Sendable {
  public var velocities: ClosedRange<UInt8>

  public init(from decoder: any Decoder) throws {
    velocities = try decoder.range(in: 1...127, of: "velocities")
  }
}

extension Decoder {
  fileprivate func range(in limits: ClosedRange<Int>, of what: String) throws
    -> ClosedRange<UInt8>
  {
    let numbers = try singleValueContainer().decode([Double].self)
    let ends = numbers.compactMap { Int(exactly: $0) }
    guard numbers.count == 2, ends.count == 2, ends.allSatisfy(limits.contains) else {
      throw DecodingError.invalid(
        "it must be [lowest, highest] with \(what) of \(limits.lowerBound) to \(limits.upperBound), "
          + "but is \(numbers)", at: codingPath)
    }
    if ends[0] > ends[1] {
      throw DecodingError.invalid(
        "the lowest is above the highest in \(ends): exchange them", at: codingPath)
    }
    return UInt8(ends[0])...UInt8(ends[1])
  }
}
