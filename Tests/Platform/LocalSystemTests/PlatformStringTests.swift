import LocalSystem
import TestSupport
import Testing

private func text(_ bytes: [UInt8]) -> String {
  (bytes + [0]).map { CChar(bitPattern: $0) }.withUnsafeBufferPointer {
    String(platformString: $0.baseAddress!)
  }
}

private func bytes(_ text: String) -> [UInt8] {
  text.platformString.dropLast().map { UInt8(bitPattern: $0) }
}

@Test func `a name is its text where it is UTF-8`() {
  for name in ["", "a.mid", "é日本🎹", "e\u{301}", "\u{FFFD}", "\u{10FFFF}"] {
    #expect(text(Array(name.utf8)).unicodeScalars.elementsEqual(name.unicodeScalars))
    #expect(bytes(name) == Array(name.utf8))
    #expect(name.showingBytes == name)
  }
}

@Test(arguments: [
  ([0x63, 0xE9], "c\\xE9"), ([0x83, 0x56, 0x83, 0x93], "\\x83V\\x83\\x93"),
  ([0xC3], "\\xC3"), ([0xC3, 0xC3, 0xA9], "\\xC3é"), ([0xE6, 0x97, 0x41], "\\xE6\\x97A"),
  ([0xED, 0xA0, 0x80], "\\xED\\xA0\\x80"), ([0xC0, 0xAF], "\\xC0\\xAF"),
  ([0xFF, 0x80], "\\xFF\\x80"),
  ([0xF4, 0x8F, 0xBB, 0xA9], "\\xF4\\x8F\\xBB\\xA9"),
])
func `bytes that are not UTF-8, or look like their replacement, are kept and shown`(
  name: [UInt8], shown: String
) {
  #expect(bytes(text(name)) == name)
  #expect(text(name).showingBytes == shown)
}

@Test func `no bytes are lost, and different names stay different`() {
  var random = Seeded(1)
  // Bytes that occur in UTF-8, so that most names are almost valid.
  let units: [UInt8] = [
    0x2E, 0x41, 0x80, 0x8F, 0xA9, 0xBA, 0xBB, 0xBF, 0xC3, 0xE6, 0xED, 0xF4, 0xFF,
  ]
  var names: [[CChar]: [UInt8]] = [:]
  for _ in 0..<20_000 {
    let name = (0..<Int.random(in: 0...8, using: &random)).map { _ in
      units.randomElement(using: &random)!
    }
    let text = text(name)
    #expect(bytes(text) == name)
    let scalars = text.utf8.map { CChar(bitPattern: $0) }
    #expect(names.updateValue(name, forKey: scalars) ?? name == name)
  }
}
