import Testing
import portative

@Suite(.timeLimit(.minutes(5))) struct TerminalTextTests {
  @Test(arguments: [
    ("abc", 3), ("日本", 4), ("한", 2), ("é", 1), ("e\u{301}", 1), ("👍", 2), ("👩‍👩‍👧", 2),
    ("☎\u{FE0F}", 2),
    ("ｆ", 2), ("█", 1), ("", 0),
  ])
  func `takes as many columns as a terminal gives it`(text: String, columns: Int) {
    #expect(TerminalText.width(text) == columns)
  }

  @Test func `is cut between characters, with an ellipsis`() {
    #expect(TerminalText.fitted("日本語のうた", columns: 12, isUnicode: true) == "日本語のうた")
    #expect(TerminalText.fitted("日本語のうた", columns: 6, isUnicode: true) == "日本…")
    #expect(TerminalText.fitted("A long title", columns: 9, isUnicode: false) == "A long...")
    #expect(TerminalText.fitted("A long title", columns: 1, isUnicode: true) == "")
  }

  @Test func `shows control characters and changes of direction as their numbers`() {
    let text = "a\u{1B}[2Jb\nc\u{202E}d\u{9B}e"
    #expect(
      TerminalText.fitted(text, columns: 80, isUnicode: true)
        == #"a\u{1B}[2Jb\nc\u{202E}d\u{009B}e"#)
    #expect(TerminalText.fitted("für 猫", columns: 80, isUnicode: false) == "f?r ?")
  }

  @Test(
    arguments: [
      (["LANG": "de_DE.UTF-8"], true), (["LANG": "C.utf8"], true), (["LANG": "C"], false),
      ([:], false),
      (["LC_ALL": "C", "LANG": "C.UTF-8"], false), (["LC_ALL": "", "LC_CTYPE": "C.UTF-8"], true),
    ] as [([String: String], Bool)])
  func `is Unicode where the locale says so`(environment: [String: String], isUnicode: Bool) {
    #expect(TerminalText.isUnicode(environment: environment) == isUnicode)
  }
}
