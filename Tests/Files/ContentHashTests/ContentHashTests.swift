import ContentHash
import FoundationEssentials
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(5)))
struct ContentHashTests {
  @Test func `the hash of bytes and of their text is that of xxhsum`() {
    // printf portative | xxhsum -H2
    #expect(ContentHash.of("portative") == ContentHash.of(Array("portative".utf8)))
    #expect(ContentHash.of("") == "99aa06d3014798d86001c324468d497f")
    #expect(ContentHash.of("a") != ContentHash.of("b"))
  }

  @Test func `the hash of a file is that of its bytes`() throws {
    let folder = try TemporaryFolder()
    // More than one block.
    let bytes = (0..<200_000).map { UInt8(truncatingIfNeeded: $0 * 7) }
    #expect(ContentHash.ofFile(try folder.put(Data(bytes), "file")) == ContentHash.of(bytes))
    #expect(ContentHash.ofFile(folder("missing")) == nil)
    #expect(ContentHash.ofFile(folder.path) == nil)
  }
}
