import Testing

@testable import OfflineRenderer

private func columns(_ samples: [Float], framesPerBlock: Int, wanted: Int, expected: Int)
  -> LevelColumns
{
  var columns = LevelColumns(wanted: wanted, expectedFrames: expected)
  for start in stride(from: 0, to: samples.count, by: 2 * framesPerBlock) {
    let block = samples[start..<min(start + 2 * framesPerBlock, samples.count)]
    block.withUnsafeBufferPointer { columns.add(interleaved: $0) }
  }
  columns.finish()
  return columns
}

/// Integer samples, whose squares add up exactly in any order.
private let noise: [Float] = (0..<20_000).map { Float($0 * 7919 % 31) }

@Test(arguments: [100, 999, 10_000, 1_000_000])
func `levels are those of the frames that each column covers`(expected: Int) {
  let made = columns(noise, framesPerBlock: 480, wanted: 10, expected: expected)
  #expect(made.frames == 10_000 && made.columns.count < 20)
  for (index, column) in made.columns.enumerated() {
    let first = index * made.framesPerColumn
    let frames = first..<min(first + made.framesPerColumn, 10_000)
    for side in 0..<2 {
      let squares = frames.map { noise[2 * $0 + side] * noise[2 * $0 + side] }
      #expect(column.peak[side] == squares.max())
      #expect(abs(column.energy[side] - squares.reduce(0, +)) <= 1e-4 * column.energy[side])
    }
  }
  #expect(made.columns.count == (10_000 + made.framesPerColumn - 1) / made.framesPerColumn)
}

@Test func `peaks do not depend on blocks`() {
  let one = columns(noise, framesPerBlock: 10_000, wanted: 50, expected: 5000)
  for framesPerBlock in [1, 3, 64, 4097] {
    let other = columns(noise, framesPerBlock: framesPerBlock, wanted: 50, expected: 5000)
    #expect(other.columns.map(\.peak) == one.columns.map(\.peak))
  }
}

@Test func `empty audio has no columns`() {
  #expect(columns([], framesPerBlock: 1, wanted: 10, expected: 100).columns.isEmpty)
}
