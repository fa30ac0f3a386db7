import AudioFile
import Testing

@Test func `the hash of bytes and of their text is that of xxhsum`() {
  // printf portative | xxhsum -H2
  #expect(ContentHash.of("portative") == ContentHash.of(Array("portative".utf8)))
  #expect(ContentHash.of("") == "99aa06d3014798d86001c324468d497f")
  #expect(ContentHash.of("a") != ContentHash.of("b"))
}
