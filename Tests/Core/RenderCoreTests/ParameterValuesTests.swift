import RenderCore
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(5))) struct ParameterValuesTests {
  private let board = ParameterStore(
    ParameterTree([
      Parameter("a", "A", -100...100, default: 1),
      Parameter("b", "B", 0...1, default: 0.25),
      Parameter(choice: "mode", "Mode", of: ["x", "y", "z"], default: 1),
      Parameter(toggle: "on", "On", default: false),
    ]))

  @Test func `every parameter begins at its default`() {
    let values = board.values
    #expect((0..<values.count).map { values[$0] } == [1, 0.25, 1, 0])
    #expect(!values.isRamping)
  }

  @Test func `without a ramp the new value applies from its frame`() {
    var values = board.values
    values.apply(ParameterChange(offset: 0, index: 0, value: 5))
    #expect(values[0] == 5 && values.value(0, after: 100) == 5 && !values.isRamping)
  }

  @Test(arguments: [1, 2, 3, 16, 64, 480, 1000, 0])
  func `a ramp has its value on every frame, however the frames are cut`(cut: Int) {
    var random = Seeded(UInt64(cut))
    var values = board.values
    let (old, new, length): (Float, Float, Int) = (1, -7.3, 777)
    values.apply(ParameterChange(offset: 0, index: 0, value: new, ramp: UInt32(length)))
    var done = 0
    while done < 1000 {
      let count = cut > 0 ? cut : Int.random(in: 1...300, using: &random)
      for i in 0..<count {
        let part = min(1, Double(done + i) / Double(length))
        let expected = Float(Double(old) + (Double(new) - Double(old)) * part)
        #expect(values.value(0, after: i) == expected)
        if i == 0 { #expect(values[0] == expected) }
      }
      #expect(values.isRamping == (done < length))
      values.advance(frames: count)
      done += count
    }
    #expect(values[0] == new)
  }

  @Test func `a change during a ramp starts from the current value`() {
    var values = board.values
    values.apply(ParameterChange(offset: 0, index: 0, value: 11, ramp: 100))
    values.advance(frames: 40)
    #expect(values[0] == 5)
    values.apply(ParameterChange(offset: 40, index: 0, value: 1, ramp: 8))
    #expect(values[0] == 5 && values.value(0, after: 2) == 4)
    values.advance(frames: 4)
    #expect(values[0] == 3)
    values.apply(ParameterChange(offset: 44, index: 0, value: 9))
    #expect(values[0] == 9 && !values.isRamping)
    values.advance(frames: 100)
    #expect(values[0] == 9)
  }

  @Test func `ramps of several parameters are independent`() {
    var values = board.values
    values.apply(ParameterChange(offset: 0, index: 0, value: 101, ramp: 100))
    values.advance(frames: 10)
    values.apply(ParameterChange(offset: 10, index: 1, value: 1, ramp: 3))
    values.advance(frames: 3)
    #expect(values[0] == 13.87 as Float && values[1] == 1 && values.isRamping)
    values.advance(frames: 87)
    #expect(values[0] == 100 && !values.isRamping)
  }

  @Test func `a stepped parameter does not glide`() {
    var values = board.values
    values.apply(ParameterChange(offset: 0, index: 2, value: 2, ramp: 100))
    values.apply(ParameterChange(offset: 0, index: 3, value: 1, ramp: 100))
    #expect(values[2] == 2 && values[3] == 1 && !values.isRamping)
  }

  @Test(
    arguments: [
      (0, 1e6, 100), (0, -.infinity, -100), (0, .nan, -100), (1, -0.1, 0), (1, .infinity, 1),
      (2, 1.4, 1), (2, 1.6, 2), (2, 7, 2), (2, -1, 0), (2, .nan, 0), (3, 0.5, 1),
    ] as [(UInt32, Float, Float)])
  func `an invalid value becomes the nearest valid value`(
    index: UInt32, value: Float, expected: Float
  ) {
    var values = board.values
    values.apply(ParameterChange(offset: 0, index: index, value: value))
    #expect(values[Int(index)] == expected)
  }

  @Test(arguments: [4, 1000, .max] as [UInt32])
  func `a change of an unknown parameter changes nothing`(index: UInt32) {
    var values = board.values
    values.apply(ParameterChange(offset: 0, index: index, value: 0.5, ramp: 10))
    #expect((0..<values.count).map { values[$0] } == [1, 0.25, 1, 0])
    #expect(!values.isRamping)
  }

  @Test func `a value set by another thread applies from the next cycle, also during a ramp`()
    throws
  {
    var values = board.values
    values.begin()
    values.apply(ParameterChange(offset: 0, index: 0, value: 50, ramp: 100))
    values.advance(frames: 10)
    try board.set("a", to: -3)
    #expect(values[0] != -3)
    let first = values.begin()
    #expect(first && values[0] == -3 && !values.isRamping)
    let second = values.begin()
    #expect(!second)
  }
}
