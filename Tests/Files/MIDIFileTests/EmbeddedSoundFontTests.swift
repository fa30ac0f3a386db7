import MIDIFile
import Testing

@Suite(.timeLimit(.minutes(5))) struct EmbeddedSoundFontTests {
  private func part(_ name: String, _ content: [UInt8]) -> [UInt8] {
    let size = UInt32(content.count)
    return Array(name.utf8) + [0, 8, 16, 24].map { UInt8(truncatingIfNeeded: size >> $0) } + content
      + (content.count % 2 == 0 ? [] : [0])
  }

  /// A SoundFont with presets in these banks, and nothing else.
  private func font(_ banks: [Int]) -> [UInt8] {
    let headers = (banks + [0]).flatMap { bank in
      [UInt8](repeating: 65, count: 20) + [1, 0, UInt8(bank & 255), UInt8(bank >> 8)]
        + [UInt8](repeating: 0, count: 14)
    }
    return part(
      "RIFF", Array("sfbk".utf8) + part("LIST", Array("pdta".utf8) + part("phdr", headers)))
  }

  private func banks(_ font: [UInt8]) -> [Int] {
    let start = font.firstRange(of: Array("phdr".utf8))!.upperBound + 4
    return stride(from: start, to: font.count - 38, by: 38).map { place -> Int in
      let (low, high) = (Int(font[place + 22]), Int(font[place + 23]))
      return low | high << 8
    }
  }

  private func file(_ parts: [UInt8]...) throws -> StandardMIDIFile {
    let song = part("data", header(0) + chunk(end))
    return try StandardMIDIFile(
      decoding: part("RIFF", Array("RMID".utf8) + song + Array(parts.joined())))
  }

  private func offset(_ value: UInt16) -> [UInt8] {
    part(
      "LIST",
      Array("INFO".utf8) + part("INAM", [65])
        + part("DBNK", [UInt8(value & 255), UInt8(value >> 8)]))
  }

  @Test func `the offset is added to all banks but that of percussion`() throws {
    let embedded = try #require(try file(offset(2), font([0, 5, 128, 126])).embeddedSoundFont)
    #expect(embedded.bankOffset == 2)
    #expect(banks(embedded.bytes) == [2, 7, 128, 0])
  }

  @Test func `the offset may follow the SoundFont, and is 1 if it is missing or invalid`() throws {
    #expect(try file(font([3]), offset(0)).embeddedSoundFont.map { banks($0.bytes) } == [3])
    #expect(try file(font([3])).embeddedSoundFont.map { banks($0.bytes) } == [4])
    #expect(try file(font([3]), offset(128)).embeddedSoundFont.map { banks($0.bytes) } == [4])
  }

  @Test func `other files have none, and damaged ones are read within their bounds`() throws {
    #expect(try file().embeddedSoundFont == nil)
    #expect(try StandardMIDIFile(decoding: header(0) + chunk(end)).embeddedSoundFont == nil)
    let whole = part(
      "RIFF", Array("RMID".utf8) + part("data", header(0) + chunk(end)) + offset(3) + font([1, 2]))
    for count in 0..<whole.count { _ = try? StandardMIDIFile(decoding: Array(whole[..<count])) }
  }
}
