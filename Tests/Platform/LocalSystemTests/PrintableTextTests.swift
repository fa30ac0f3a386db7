import LocalSystem
import Testing

@Suite(.timeLimit(.minutes(5))) struct PrintableTextTests {
  @Test(arguments: [
    ("Sång ♪ 日本語 🎹", "Sång ♪ 日本語 🎹"), ("❤️", "❤️"), (#"a\b"#, #"a\b"#),
    ("a\u{1B}[2Jb\nc\u{9B}d", #"a\u{1B}[2Jb\nc\u{009B}d"#), ("\u{7F}", #"\u{7F}"#),
    ("\r\t\0", #"\r\t\0"#), ("a\u{202E}b\u{2066}c\u{61C}", #"a\u{202E}b\u{2066}c\u{061C}"#),
    (
      "a\u{200B}\u{200D}\u{2060}\u{FEFF}\u{AD}\u{34F}",
      #"a\u{200B}\u{200D}\u{2060}\u{FEFF}\u{00AD}\u{034F}"#
    ),
    ("\u{2028}\u{2029}\u{85}", #"\u{2028}\u{2029}\u{0085}"#), ("\u{E0041}", #"\u{000E0041}"#),
    ("\u{3164}\u{115F}", #"\u{3164}\u{115F}"#),
  ])
  func `what is hidden is shown as its number`(text: String, shown: String) {
    #expect(text.printable == shown)
    #expect(shown.printable == shown)
  }

  @Test func `no character below U+3000 that Unicode calls control or format remains`() {
    for value in UInt32(0)..<0x3000 {
      guard let scalar = Unicode.Scalar(value) else { continue }
      let isActive = [.control, .format, .lineSeparator, .paragraphSeparator].contains(
        scalar.properties.generalCategory)
      if isActive { #expect(!String(scalar).printable.unicodeScalars.contains(scalar)) }
    }
  }

  @Test func `printable lines keep their line feeds`() {
    #expect("a\u{1B}[2J\nb\tc\n\n".printableLines == "a\\u{1B}[2J\nb\\tc\n\n")
  }

  @Test func `a long text is cut in an error`() {
    #expect("short\n".quotable == #"short\n"#)
    let long = String(repeating: "\u{1B}", count: 1_000_000).quotable
    #expect(long == String(repeating: #"\u{1B}"#, count: 80) + "…")
  }

  @Test func `JSON with escapes decodes to the same text`() throws {
    let text = "A\u{1B}\u{7F}\u{9B}\u{202E}\u{200B}\u{2028}\u{E0041}🎹\"\\/"
    let json = JSON5Document.formatted("[\"A\u{7F}\u{9B}\u{202E}\u{E0041}\"]").printableJSON
    #expect(json == #"["A\u007f\u009b\u202e\udb40\udc41"]"#)
    let document = try JSON5Document(
      Array("[\"A\u{9B}\u{202E}\u{200B}\u{E0041}🎹\"]".printableJSON.utf8))
    #expect(try document.decode([String].self) == ["A\u{9B}\u{202E}\u{200B}\u{E0041}🎹"])
    // Nor does text that is not JSON reach a terminal as it is.
    #expect(!text.printableJSON.unicodeScalars.contains { $0.isHidden })
  }
}
