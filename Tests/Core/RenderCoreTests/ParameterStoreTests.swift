import RenderCore
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(5))) struct ParameterStoreTests {
  private let board = ParameterStore(
    ParameterTree([
      Parameter("gain", "Gain", -60...6, default: 0, unit: .decibels),
      Parameter("echo.time", "Time", 1...2000, default: 250, unit: .milliseconds),
      Parameter(choice: "mode", "Mode", of: ["x", "y", "z"], default: 1),
    ]))

  @Test func `every parameter begins at its default`() {
    #expect(board.all == ["gain": 0, "echo.time": 250, "mode": 1])
  }

  @Test func `a set value is read back before, in and after the cycle that applies it`()
    throws
  {
    try board.set("gain", to: -12)
    #expect(board.value(0) == -12)
    var values = board.values
    values.begin()
    #expect(board.value(0) == -12)
    values.publish()
    #expect(board.value(0) == -12)
  }

  @Test func `of two settings before a cycle the later one applies`() throws {
    try board.set("gain", to: -12)
    try board.set("gain", to: -6)
    var values = board.values
    values.begin()
    #expect(values[0] == -6)
  }

  @Test func `a change by the host is seen at the end of its cycle`() {
    var values = board.values
    values.begin()
    values.apply(ParameterChange(offset: 0, index: 0, value: -20, ramp: 10))
    values.advance(frames: 5)
    #expect(board.value(0) == 0)
    values.publish()
    #expect(board.value(0) == -10)
  }

  @Test func `a stepped parameter is set to the nearest step`() throws {
    try board.set("mode", to: 1.7)
    #expect(board.value(2) == 2)
    var values = board.values
    values.begin()
    #expect(values[2] == 2)
  }

  @Test(arguments: [6.1, -61, .nan, .infinity] as [Float])
  func `a value out of range is refused and changes nothing`(value: Float) {
    #expect(throws: ParameterError.self) { try board.set("gain", to: value) }
    #expect(throws: ParameterError.self) { try board.set(["echo.time": 100, "gain": value]) }
    #expect(board.all == ["gain": 0, "echo.time": 250, "mode": 1])
    var values = board.values
    let isNew = values.begin()
    #expect(!isNew)
  }

  @Test func `an error states the range or the valid values`() {
    #expect(
      #expect(throws: ParameterError.self) { try board.set("gain", to: 7.5) }?.description
        == "gain must be -60 to 6 dB, but is 7.5")
    #expect(
      #expect(throws: ParameterError.self) { try board.set("mode", to: 3) }?.description
        == "mode must be 0 to 2, but is 3")
    #expect(
      #expect(throws: ParameterError.self) { try board.set("tone", to: 0) }?.description
        == "there is no parameter 'tone': the unit has gain, echo.time, mode")
  }

  @Test func `several parameters are set together`() throws {
    try board.set(["gain": -1, "echo.time": 500])
    var values = board.values
    values.begin()
    #expect((0..<3).map { values[$0] } == [-1, 500, 1])
  }

  @Test func `values that threads set concurrently arrive in each thread's order, up to the last`()
  {
    // Two threads count upwards, each in its own parameter; the third parameter is never set.
    let board = board
    let threads = [("gain", -60), ("echo.time", 300)].map { name, start in
      TestThread {
        // The values are in range.
        for i in 1...65 { try! board.set(name, to: Float(start + i)) }
      }
    }
    var values = board.values
    var seen: [[Float]] = [[-100], [0], [1]]
    // The bound ends the loop if a value is lost.
    for _ in 0..<5_000_000 where values[0] != 5 || values[1] != 365 {
      values.begin()
      for index in 0..<3 where values[index] != seen[index].last {
        seen[index].append(values[index])
      }
      values.publish()
    }
    for thread in threads { thread.join() }
    #expect(board.all == ["gain": 5, "echo.time": 365, "mode": 1])
    // No value is followed by an earlier one.
    let gains = seen[0].drop { $0 == -100 || $0 == 0 }
    #expect(gains == gains.sorted()[...] && seen[1] == seen[1].sorted() && seen[2] == [1])
  }
}
