import FoundationEssentials
import NodeProtocol
import Testing

@Test func `is four bytes, the first of them highest`() throws {
  let code = try FourCharacterCode("gm y")
  #expect(code.rawValue == 0x676D_2079)
  #expect(code.description == "gm y")
  #expect(FourCharacterCode(rawValue: 0x676D_2079) == code)
  #expect(try FourCharacterCode("GM y") != code)
}

@Test(arguments: [0x676D_2000, 0x676D_207F, 0x1F6D_2079, 0, UInt32.max])
func `has only printable bytes`(number: UInt32) {
  #expect(FourCharacterCode(rawValue: number) == nil)
}

@Test(arguments: [
  ("gms", "but has 3"), ("gmsys", "but has 5"), ("", "but has 0"),
  ("gms\n", "but contains others"), ("gmé", "but contains others"), ("gmsé", "but contains others"),
])
func `states what is wrong with a text`(text: String, reason: String) {
  let error = #expect(throws: FourCharacterCodeError.self) { try FourCharacterCode(text) }
  #expect(
    error?.description
      == "'\(text)' is not a four-character code: it needs 4 printable ASCII characters, \(reason)")
}

@Test func `is coded as its text`() throws {
  let code = try FourCharacterCode("g\"sy")
  let json = try JSONEncoder().encode([code])
  #expect(String(decoding: json, as: UTF8.self) == #"["g\"sy"]"#)
  #expect(try JSONDecoder().decode([FourCharacterCode].self, from: json) == [code])
  #expect(throws: DecodingError.self) {
    try JSONDecoder().decode([FourCharacterCode].self, from: Data(#"["gms"]"#.utf8))
  }
}
