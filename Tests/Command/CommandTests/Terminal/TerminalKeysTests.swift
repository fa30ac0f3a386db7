import Testing
import portative

@Suite(.timeLimit(.minutes(5))) struct TerminalKeysTests {
  @Test(
    arguments: [
      (" ", .character(" ")), ("q", .character("q")), ("ü", .character("ü")), ("\u{1B}[A", .up),
      ("\u{1B}OB", .down), ("\u{1B}[C", .right), ("\u{1B}[1;5D", .left), ("\u{1B}[H", .home),
      ("\u{1B}OH", .home), ("\u{1B}[1~", .home), ("\u{1B}[7~", .home), ("\u{1B}[F", .end),
      ("\u{1B}[4~", .end),
    ] as [(String, TerminalKey)])
  func `are recognised, however their bytes are divided`(sent: String, key: TerminalKey) {
    var keys = TerminalKeys()
    #expect(keys.keys(from: sent.utf8) == [key])
    var pieces: [TerminalKey] = []
    for byte in sent.utf8 { pieces += keys.keys(from: [byte]) }
    #expect(pieces == [key])
  }

  @Test func `an escape byte alone is the escape key`() {
    var keys = TerminalKeys()
    #expect(keys.keys(from: [0x1B]) == [])
    #expect(keys.keys(from: []) == [.escape])
    #expect(keys.keys(from: []) == [])
  }

  @Test func `unknown sequences are skipped, and the next keys are read`() {
    var keys = TerminalKeys()
    // Page up, F5, a byte that is invalid in UTF-8, and an incomplete character.
    let sent = Array("\u{1B}[5~a\u{1B}[15~b".utf8) + [0xFF, 0x63, 0xC3, 0x64]
    #expect(keys.keys(from: sent) == ["a", "b", "c", "d"].map { .character($0) })
    #expect(keys.keys(from: []) == [])
  }
}
