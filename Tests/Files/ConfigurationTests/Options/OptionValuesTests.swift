import Configuration
import LocalSystem
import Testing

@Test(arguments: [
  ("0", 0.0), ("83.5", 83.5), ("1:23.5", 83.5), ("0:01:23.5", 83.5), ("90:00", 5400),
  ("2:0:0", 7200),
])
func `reads times`(text: String, seconds: Double) throws {
  #expect(try OptionValue.time(text, of: "--from") == seconds)
}

@Test(arguments: [
  "", ":", "1:", ":1", "1:60", "1:2:3:4", "-1", "1.5:00", "1:-2", "nan", "inf", "0x10", "1e3",
  "1,5",
  "99999999",
])
func `refuses invalid times`(text: String) {
  #expect(throws: Failure.self) { try OptionValue.time(text, of: "--from") }
}

@Test(arguments: ["", "x", "nan", "inf", "0x1p3", "1e1", "41", "-60.1", "6 ", "1.2.3"])
func `refuses invalid numbers`(text: String) {
  #expect(
    throws: Failure(.usage, "--gain must be a number from -60 to 40, but was '\(text)'")
  ) { try OptionValue.number(text, of: "--gain", in: -60...40) }
}

@Test(arguments: ["7999", "96001", "48000.5", "48k", "", "99999999999999999999999"])
func `refuses invalid whole numbers`(text: String) {
  #expect(
    throws: Failure(
      .usage, "--rate must be a whole number from 8000 to 96000, but was '\(text)'")
  ) { try OptionValue.whole(text, of: "--rate", in: 8000...96_000) }
}

@Test func `names the choices`() {
  enum Timing: String, CaseIterable { case exact, stock }
  #expect(
    throws: Failure(.usage, "--timing must be one of exact, stock, but was 'loose'")
  ) { () throws(Failure) -> Timing in try OptionValue.choice("loose", of: "--timing") }
  #expect(throws: Failure(.usage, "--reverb must be on or off, but was 'ON'")) {
    try OptionValue.onOff("ON", of: "--reverb")
  }
}
