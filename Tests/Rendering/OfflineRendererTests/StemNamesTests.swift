import Testing

@testable import OfflineRenderer

@Test(arguments: [
  ("Lead Guitar", "Lead Guitar"), ("a/b\\c:d", "a-b-c-d"), ("../../etc/passwd", "-..-etc-passwd"),
  ("...hidden", "hidden"), (" two  \t words\n", "two words"), ("what?*", "what--"),
  ("a\u{0}b\u{1B}[31m\u{7F}\u{9F}", "ab[31m"), ("abc\u{202E}gpj", "abcgpj"), ("Spår", "Spår"),
  ("ギター", "ギター"), ("v1.", "v1"), ("👨‍👩‍👧 choir", "👨‍👩‍👧 choir"),
])
func `a name has only characters that file systems accept`(text: String, name: String) {
  #expect(fileName(text) == name)
}

@Test(arguments: ["", "  ", "...", "\u{0}\u{1}", " . "])
func `a name without valid characters is not used`(text: String) {
  #expect(fileName(text) == nil)
}

@Test(arguments: ["x", "é", "ギ", "👨‍👩‍👧", "e\u{301}"])
func `a long name is cut between characters`(character: String) throws {
  let name = try #require(fileName(String(repeating: character, count: 300)))
  #expect(name.utf8.count <= 120 && name.utf8.count > 120 - character.utf8.count)
  #expect(name == String(repeating: character, count: name.count))
}
