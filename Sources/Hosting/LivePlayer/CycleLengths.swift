/// The lengths of successive cycles, in frames.
package final class CycleLengths {
  package enum Choice: Equatable {
    case frames(Int)
    /// A pseudorandom length for each cycle, 1...``longest`` frames; the sequence is the same in every run.
    case random
  }
  private let choice: Choice
  private var generator: UInt64 = 1

  package static let longest = 8192

  init(_ choice: Choice) { self.choice = choice }

  var maximum: Int { if case .frames(let frames) = choice { frames } else { Self.longest } }

  func next() -> Int {
    switch choice {
    case .frames(let frames): return frames
    case .random:
      // Source: Knuth, TAOCP 3.3.4, table 1, line 26.
      generator = generator &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return 1 + Int(generator >> 33) % Self.longest
    }
  }
}
