import TestSupport
import Testing

@testable import FluidSynthEngine

@Suite(.timeLimit(.minutes(5))) struct ResidualBitsTests {
  @Test(arguments: [2, 4])
  func `numbers are unchanged`(bits: Int) {
    var random = Seeded(4)
    let reach = Int8(1 << (bits - 1))
    let numbers = (0..<64).map { _ in Int8.random(in: -reach..<reach, using: &random) }
    let packed = UnsafeMutablePointer<Int8>.allocate(capacity: 64)
    let steps = UnsafeMutablePointer<Int8>.allocate(capacity: 64)
    defer {
      packed.deallocate()
      steps.deallocate()
    }
    for i in 0..<64 { packed[i] = numbers[i] }
    #expect(ResidualBits.pack(packed, bits: bits) == 8 * bits)
    packed.withMemoryRebound(to: UInt8.self, capacity: 64) {
      ResidualBits.unpack($0, bits: bits, to: steps)
    }
    #expect((0..<64).map { steps[$0] } == numbers)
  }

  @Test(
    arguments: [
      ([-2, 1], 2), ([2], 4), ([-3], 4), ([-8, 7], 4), ([8], 8), ([-128, 127], 8), ([128], nil),
      ([-129, 0], nil), ([Int32.min, Int32.max], nil),
    ] as [([Int32], Int?)])
  func `uses the fewest bits`(numbers: [Int32], bits: Int?) {
    func joined(_ added: Int32) -> UInt32 {
      numbers.reduce(0) { $0 | UInt32(bitPattern: $1 &+ added) }
    }
    #expect(ResidualBits.bits(two: joined(2), four: joined(8), eight: joined(128)) == bits)
  }
}
