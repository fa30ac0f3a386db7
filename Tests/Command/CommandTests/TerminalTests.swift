import Testing

@testable import portative

@Test func `what is said is one line, and commands no terminal`() {
  #expect(Terminal.plain("'Sång ♪.mid' is empty") == "'Sång ♪.mid' is empty")
  #expect(Terminal.plain("a\u{1B}[2Jb\nc\u{9B}d") == #"a\u{1B}[2Jb\nc\u{009B}d"#)
}
