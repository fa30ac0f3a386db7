import Testing

@testable import Configuration
@testable import portative

private let line = ProgressLine(name: "Prelude.mid", done: 60, total: 240, elapsed: 2)

@Test func `shows how far, how fast and how long to go`() {
  #expect(
    line.text(columns: 80)
      == "Prelude.mid  [#######.......................] 1:00 / 4:00  30x  0:06 left")
}

@Test(arguments: [(59.6, 60.0, "1.0x"), (60, 6, "10x"), (59, 6, "9.8x")])
func `a slow pace is told more exactly`(done: Double, elapsed: Double, speed: String) {
  let line = ProgressLine(name: "", done: done, total: 240, elapsed: elapsed)
  #expect(line.text(columns: 80).contains("  \(speed)  "))
}

@Test(arguments: 0...120)
func `fits any terminal`(columns: Int) {
  #expect(line.text(columns: columns).count <= max(0, columns - 1))
}

@Test func `bears nonsense`() {
  for (done, total) in [(0.0, 0.0), (5, 0), (10, 5), (1e300, 1e300), (-1, 1)] {
    let line = ProgressLine(name: "", done: done, total: total, elapsed: 1)
    #expect(line.text(columns: 80).count < 80)
  }
}
