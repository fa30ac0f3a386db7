import Testing

@testable import portative

@Test func `a message is one line without control characters`() {
  #expect(Terminal.escaped("'Sång ♪.mid' is empty") == "'Sång ♪.mid' is empty")
  #expect(Terminal.escaped("a\u{1B}[2Jb\nc\u{9B}d") == #"a\u{1B}[2Jb\nc\u{009B}d"#)
}
