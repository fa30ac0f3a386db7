import RenderCore
import Testing

@Suite(.timeLimit(.minutes(5)))
struct SystemExclusiveTests {
  @Test(arguments: [
    ("7E 7F 09 01", "reset(gm)"), ("7E 10 09 03", "reset(gm2)"), ("7E 7F 09 02", "leaveGM"),
    ("41 10 42 12 40 00 7F 00 41", "reset(gs)"), ("41 10 42 12 00 00 7F 01 00", "reset(gs)"),
    ("43 10 4C 00 00 7E 00", "reset(xg)"), ("43 10 4C 00 00 7F 00", "reset(xg)"),
    ("7F 7F 04 01 00 00", "masterVolume(0.0)"), ("7F 7F 04 01 00 7F", "masterVolume(1.0)"),
    ("7F 7F 04 02 00 40", "masterBalance(0.0)"), ("7F 7F 04 02 00 00", "masterBalance(-1.0)"),
    ("7F 7F 04 03 00 40", "masterTuning(cents: 0.0)"), ("7F 7F 04 04 00 34", "masterKeyShift(-12)"),
    ("41 10 42 12 40 00 00 00 04 00 00 3C", "masterTuning(cents: 0.0)"),
    ("41 10 42 12 40 00 04 40 7C", "masterVolume(0.503937)"),
    ("43 10 4C 00 00 06 41", "masterKeyShift(1)"),
    ("43 10 4C 00 00 05 7F", "masterAttenuation(1.0)"),
    ("41 10 42 12 40 11 15 01 19", "rhythm(part: 0, isRhythm: true)"),
    ("41 10 42 12 40 10 15 00 1B", "rhythm(part: 9, isRhythm: false)"),
    ("41 10 42 12 40 1A 15 02 0F", "rhythm(part: 10, isRhythm: true)"),
    ("43 10 4C 08 03 07 01", "rhythm(part: 3, isRhythm: true)"),
    ("41 10 42 12 40 12 02 10 1C", "receiveChannel(part: 1, channel: nil)"),
    ("43 10 4C 08 02 04 0F", "receiveChannel(part: 2, channel: Optional(15))"),
    ("41 10 42 12 40 1F 19 64 24", "controller(part: 15, number: 7, 100)"),
    ("41 10 42 12 40 11 1C 00 13", "nothing"),
    ("43 10 4C 08 00 0E 7F", "controller(part: 0, number: 10, 127)"),
    ("41 10 42 12 40 11 16 4C 4D", "partKeyShift(part: 0, 12)"),
    ("41 10 42 12 40 01 30 00 0F", "reverbTime(0.60653067)"),
    ("7F 7F 04 05 01 01 01 01 01 00 04", "reverbTime(1.0)"),
    ("7F 7F 04 05 01 01 01 01 02 01 03", "chorusRate(1.0)"),
    ("43 10 4C 02 01 0C 00", "reverbLevel(0.0)"),
  ])
  func `a message has the meaning that its manual gives`(hex: String, meaning: String) {
    #expect(meanings(hex) == [meaning])
  }

  @Test func `a message writes parameters that follow each other`() {
    #expect(
      meanings("41 10 42 12 40 11 40 3C 40 41 00") == [
        "scale(part: 0, note: 0, cents: -4)", "scale(part: 0, note: 1, cents: 0)",
        "scale(part: 0, note: 2, cents: 1)",
      ])
    #expect(
      meanings("41 10 42 12 40 13 00 08 05 01 00") == [
        "program(part: 2, bank: Optional(8), program: 5)",
        "receiveChannel(part: 2, channel: Optional(1))",
      ])
  }

  @Test func `any device ID and a wrong checksum are accepted, and the checksum is reported`() {
    for device in ["00", "10", "1F", "7F"] {
      #expect(meanings("41 \(device) 42 12 40 00 7F 00 41") == ["reset(gs)"])
    }
    #expect(meanings("41 10 42 12 40 00 7F 00 42") == ["reset(gs)"])
    #expect(read("41 10 42 12 40 00 7F 00 42") { $0.hasWrongChecksum })
    #expect(!read("41 10 42 12 40 00 7F 00 41") { $0.hasWrongChecksum })
    #expect(meanings("43 13 4C 00 00 7E 00") == ["reset(xg)"])
  }

  @Test(arguments: [
    ("41 10 45 12 10 00 00 41 2F", SystemExclusive.Kind.display),
    ("41 10 16 12 08 00 00 00 78", .mt32), ("41 10 42 12 41 11 15 02 17", .drumSetup),
    ("43 10 4C 30 24 02 40", .drumSetup), ("43 10 4C 03 00 00 01", .insertionEffect),
    ("7E 7F 06 01", .identity), ("7F 7F 01 01 00 00 00 00", .timeCode),
    ("41 10 42 12 40 11 32 40 3D", .soundShape), ("42 30 00 00", .other), ("", .other),
  ])
  func `a message without effect has a kind`(hex: String, kind: SystemExclusive.Kind) {
    read(hex) {
      #expect($0.kind == kind)
      #expect(!$0.acts)
    }
  }

  @Test func `no bytes make it fail, and every message ends`() {
    var generator = SystemRandomNumberGenerator()
    let starts: [[UInt8]] = [
      [0x41, 0x10, 0x42, 0x12], [0x43, 0x10, 0x4C], [0x7F, 0x7F, 0x04], [0x7E], [],
    ]
    for _ in 0..<20_000 {
      var bytes = starts.randomElement(using: &generator)!
      for _ in 0..<Int.random(in: 0...12, using: &generator) {
        bytes.append(UInt8.random(in: 0...255, using: &generator))
      }
      bytes.withUnsafeBufferPointer { bytes in
        var message = SystemExclusive(bytes)
        var count = 0
        while message.next() != nil { count += 1 }
        #expect(count <= bytes.count)
      }
    }
  }
}

private func read<Result>(_ hex: String, _ body: (SystemExclusive) -> Result) -> Result {
  hex.split(separator: " ").map { UInt8($0, radix: 16)! }.withUnsafeBufferPointer {
    body(SystemExclusive($0))
  }
}

private func meanings(_ hex: String) -> [String] {
  read(hex) { message in
    var (message, meanings) = (message, [String]())
    while let meaning = message.next() {
      let text = "\(meaning)".split(separator: "RenderCore.SystemExclusive.System.")
      meanings.append(text.joined())
    }
    return meanings
  }
}
