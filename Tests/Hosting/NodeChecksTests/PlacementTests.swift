import TestSupport
import Testing

@testable import NodeChecks

@Suite(.timeLimit(.minutes(1))) struct PlacementTests {
  private let events = NodeCheck.moves.map { 4096 + $0 }

  private func placement(_ place: (Int) -> Int) -> Placement? {
    Placement(events: events, places: events.map(place))
  }

  @Test func `what moves with its event is exact, also after an attack`() {
    #expect(placement { $0 } == .exact(0...0))
    #expect(placement { $0 + 37 } == .exact(37...37))
  }

  @Test(arguments: [16, 64, 128, 1024])
  func `the block of what acts at multiples of one is found`(block: Int) {
    #expect(
      placement { ($0 + block - 1) / block * block } == .blocks(frames: block, early: 0))
    // A sound that begins in the block after the one in which the event was read.
    #expect(placement { $0 / block * block + block } == .blocks(frames: block, early: 0))
    #expect(
      placement { $0 / block * block } == .blocks(frames: block, early: min(block - 1, 1023)))
  }

  @Test func `what follows no block is scattered`() {
    let places = placement { $0 + ($0 * 7) % 5 }
    #expect(places == .scattered(0...4))
    #expect(places?.description == "late by 0 to 4 frames")
    #expect(
      placement { $0 % 2 == 0 ? $0 : $0 - 7 }?.description == "up to 7 frames early, 0 late")
  }

  @Test func `what moves to a frame is exact`() {
    #expect(placement { $0 + $0 % 2 } == .exact(0...1))
    #expect(placement { $0 - $0 % 2 } == .exact(-1...0))
    #expect(placement { $0 - $0 % 4 } == .blocks(frames: 4, early: 3))
  }

  @Test func `a block is found behind an attack that is not the same each time`() {
    let places = placement { ($0 + 127) / 128 * 128 + 15 + $0 % 23 }
    #expect(places == .blocks(frames: 128, early: 0))
    #expect(placement { $0 + 15 + $0 % 23 } == .scattered(15...37))
  }

  @Test func `bits that change earlier than is heard show the block`() {
    let heard = events.map { $0 / 128 * 128 + $0 % 7 }
    let bits = events.map { $0 / 128 * 128 }
    #expect(
      Placement(events: events, places: heard, bits: bits) == .blocks(frames: 128, early: 127))
    #expect(Placement(events: events, places: heard, bits: events) == .exact(0...0))
    #expect(Placement(events: events, places: events, bits: bits) == .exact(0...0))
  }

  @Test func `nothing is known of no event`() { #expect(Placement(events: [], places: []) == nil) }
}
