import Foundation
import RenderCore
import Testing

@Suite(.timeLimit(.minutes(5))) struct ParameterTests {
  @Test func `a parameter survives encoding and decoding as JSON`() throws {
    let parameters = [
      Parameter("gain", "Gain", -60...6, default: 0, unit: .decibels),
      Parameter("tone", "Tone", 20...20_000, default: 1000, unit: .hertz, scale: .logarithmic),
      Parameter(toggle: "on", "On", default: true),
      Parameter(choice: "shape", "Shape", of: ["sine", "saw", "square"], default: 1),
    ]
    let data = try JSONEncoder().encode(parameters)
    #expect(try JSONDecoder().decode([Parameter].self, from: data) == parameters)
  }

  @Test(
    arguments: [
      (1, 0, 0.5), (0, 1, 2), (0, 1, -1), ("-2e9", 0, 0), (0, "1e9", 0), (0, "1e39", 0),
      (0, "1e400", 0), ("-1e400", 0, 0), (0, 1, #""NaN""#), ("null", 1, 0), (0, 1, "1e39"),
    ] as [(any Sendable, any Sendable, any Sendable)])
  func `an invalid parameter cannot be decoded`(
    minimum: any Sendable, maximum: any Sendable, defaultValue: any Sendable
  ) {
    #expect(throws: DecodingError.self) {
      _ = try decode("\(minimum)", "\(maximum)", "\(defaultValue)")
    }
  }

  @Test func `a logarithmic parameter cannot begin at 0`() throws {
    #expect(try decode("1", "10", "1", scale: "logarithmic").minimum == 1)
    #expect(throws: DecodingError.self) { _ = try decode("0", "10", "1", scale: "logarithmic") }
  }

  @Test func `either all values have names or none has`() throws {
    #expect(try decode("0", "1", "0", names: #"["a", "b"]"#).valueNames == ["a", "b"])
    #expect(throws: DecodingError.self) { _ = try decode("0", "2", "0", names: #"["a", "b"]"#) }
    #expect(throws: DecodingError.self) { _ = try decode("0", "0", "0", names: #"["a", "b"]"#) }
  }

  private func decode(
    _ minimum: String, _ maximum: String, _ defaultValue: String, scale: String = "linear",
    names: String = "[]"
  ) throws -> Parameter {
    let text = """
      {"identifier": "x", "name": "X", "unit": "none", "minimum": \(minimum), "maximum": \(maximum),
       "defaultValue": \(defaultValue), "scale": "\(scale)", "valueNames": \(names)}
      """
    return try JSONDecoder().decode(Parameter.self, from: Data(text.utf8))
  }
}
