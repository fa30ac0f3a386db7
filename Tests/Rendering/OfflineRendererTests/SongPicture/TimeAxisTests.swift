import Testing

@testable import OfflineRenderer

@Test(arguments: [
  (0.0, 1.0, "0:00"), (65, 5, "1:05"), (3725, 60, "1:02:05"), (1.25, 0.05, "0:01.25"),
  (0.3, 0.1, "0:00.3"), (59.999, 0.001, "0:59.999"), (36_000, 600, "10:00:00"),
])
func `times are written as on a clock`(seconds: Double, step: Double, text: String) {
  #expect(TimeAxis.text(seconds, step: step) == text)
}

@Test(arguments: [0.001, 0.3, 2.8, 60, 200, 2400, 36_000, 1e6])
func `marks do not overlap, and there are enough of them`(length: Double) {
  let axis = TimeAxis(start: 0, length: length, x: 100, width: 1400)
  let marks = axis.marks(step: axis.step(distance: 84))
  #expect(length < 0.01 || marks.count >= 5)
  #expect(marks.count <= 17)
  for (mark, next) in zip(marks, marks.dropFirst()) { #expect(next.x - mark.x >= 83.9) }
  #expect(marks.allSatisfy { 100...1500.1 ~= $0.x })
}

@Test func `a part of a song has the song's times`() {
  let axis = TimeAxis(start: 30.5, length: 10, x: 0, width: 1000)
  let marks = axis.marks(step: 1)
  #expect(marks.first?.text == "0:31" && abs((marks.first?.x ?? 0) - 50) < 1e-9)
  #expect(marks.last?.text == "0:40")
}
