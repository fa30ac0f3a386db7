import Testing

@testable import SoundFontBuilder

@Suite(.timeLimit(.minutes(5))) struct RandomSourceTests {
  @Test func `gives the numbers of SplitMix64`() {
    // The first two outputs for the seed 0, as published with the algorithm.
    var random = RandomSource(seed: 0)
    #expect(random.next() == 0xe220_a839_7b1d_cdaf)
    #expect(random.next() == 0x6e78_9e6a_a1b9_65f4)
  }

  @Test func `names give different numbers, the same name the same`() {
    var (a, b, c) = (RandomSource("Flute 60"), RandomSource("Flute 60"), RandomSource("Flute 61"))
    let first = a.next()
    #expect(first == b.next())
    #expect(first != c.next())
  }
}
