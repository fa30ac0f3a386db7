import NodeProtocol
import Testing

@Test func `versions are ordered by their numbers`() throws {
  let texts = ["0.9.10", "1.0.0", "1.0.2", "1.0.10", "1.2.0", "1.10.0", "10.0.0"]
  let versions = try texts.map { try SemanticVersion($0) }
  #expect(versions.shuffled().sorted() == versions)
  #expect(versions.map(\.description) == texts)
}

@Test(arguments: [
  "", "1", "1.0", "1.0.0.0", "1.0.x", "1.0.0.x", "1..0", "1.0.0.", "01.0.0", "+1.0.0", "-1.0.0",
  "1.0.0-rc", " 1.0.0", "99999999999999999999.0.0",
])
func `a version is three numbers and nothing else`(text: String) {
  let error = #expect(throws: DescriptionError.self) { try SemanticVersion(text) }
  #expect(
    error?.description
      == "the version cannot be '\(text)': write three numbers, such as 1.0.0")
}
