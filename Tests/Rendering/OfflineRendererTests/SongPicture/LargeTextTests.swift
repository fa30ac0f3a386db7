import OfflineRenderer
import Testing

@Test func `large text fills the rows, and is never wider than the terminal`() throws {
  for (text, columns, rows) in [("Verse", 80, 12), ("A very long name of a scene, é 漢", 60, 9)] {
    let lines = try #require(LargeText().rows(text, columns: columns, rows: rows))
    #expect(lines.count == rows)
    #expect(lines.allSatisfy { $0.count <= columns })
    #expect(lines.contains { $0.contains("\u{2588}") })
  }
  // The same text is larger where there is more room.
  func lit(_ columns: Int, _ rows: Int) -> Int {
    (LargeText().rows("Aria", columns: columns, rows: rows) ?? []).joined().count { $0 != " " }
  }
  #expect(lit(200, 40) > 4 * lit(60, 12))
}

@Test func `without room for letters there is none`() {
  #expect(LargeText().rows("Verse", columns: 80, rows: 4) == nil)
  #expect(LargeText().rows("Verse", columns: 19, rows: 12) == nil)
}
