import RenderCore
import Testing

@testable import Effects

@Suite(.timeLimit(.minutes(5))) struct DelayLineTests {
  /// Calls `body` with a line to which `count` frames were written: 1, 2, 3 and so on.
  private func withLine(_ count: Int, longest: Int, _ body: (inout DelayLine) -> Void) {
    let memory = RenderMemory()
    defer { memory.release() }
    var line = DelayLine(maximumDelay: longest, in: memory)
    for i in 1...count { line.write(Float(i)) }
    body(&line)
  }

  @Test(arguments: [10, 100, 1000]) func `input is read after the delay`(count: Int) {
    withLine(count, longest: 10) { line in
      for delay in 1...10 { #expect(line.read(delay) == Float(count + 1 - delay)) }
    }
  }

  @Test func `a cubic lies exactly on cubics, and at whole delays on the samples`() {
    let memory = RenderMemory()
    defer { memory.release() }
    var line = DelayLine(maximumDelay: 20, in: memory)
    func cubic(_ x: Double) -> Double { ((x / 8 - 1) * x / 4 + 3) * x - 2 }
    for i in 0..<20 { line.write(Float(cubic(Double(i)))) }
    for delay in stride(from: 2, through: 10, by: 0.125) {
      let read = Double(line.read(CubicTaps(delay: delay)))
      #expect(abs(read - cubic(20 - delay)) < 1e-4)
    }
    for delay in 2...10 { #expect(line.read(CubicTaps(delay: Double(delay))) == line.read(delay)) }
  }

  @Test func `any delay up to the requested one can be read, with a cubic too`() {
    withLine(5000, longest: 1024) { line in
      #expect(line.read(1024) == 5001 - 1024)
      #expect(line.read(CubicTaps(delay: 1024.5)) == 5001 - 1024.5)
    }
  }

  @Test func `clearing silences only the last frames`() {
    withLine(100, longest: 12) { line in
      line.clear(frames: 5)
      #expect((1...5).allSatisfy { line.read($0) == 0 })
      #expect(line.read(6) == 95)
      line.clear(frames: 1000)
      #expect((1...12).allSatisfy { line.read($0) == 0 })
    }
  }

  @Test func `infinite and NaN samples are not stored`() {
    withLine(3, longest: 4) { line in
      line.write(.nan)
      #expect(line.read(1) == 0)
    }
  }
}
