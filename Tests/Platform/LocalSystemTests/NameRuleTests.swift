import LocalSystem
import Testing

@Suite(.timeLimit(.minutes(5))) struct NameRuleTests {
  @Test func `a name has a limit in bytes or in characters, and says how to meet it`() {
    let bytes = NameRule(atMost: 4, .bytes)
    #expect(bytes.remedy(for: "éé") == nil)
    #expect(bytes.remedy(for: "ééa") == "it has 5 bytes, write at most 4")
    let characters = NameRule(atMost: 4, .characters)
    #expect(characters.remedy(for: "ééaa") == nil)
    #expect(characters.remedy(for: "") == "write 1 to 4 characters")
    #expect(
      characters.remedy(for: "a\u{200B}")
        == #"remove \u{200B}, which is character 2: names have no control, directional or invisible characters"#
    )
  }
}
