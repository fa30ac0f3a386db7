/// What becomes of the frame of an event, of which several positions were tried.
package enum Placement: Equatable, Sendable {
  /// The sound moves with the event, to a frame. The frames from the event to its sound.
  case exact(ClosedRange<Int>)
  /// The event acts at a multiple of `frames`: at the next one, or up to `early` frames before its own frame.
  case blocks(frames: Int, early: Int)
  /// The frames from the event to its sound, which differ.
  case scattered(ClosedRange<Int>)

  /// - Parameters:
  ///   - events: The frames of the events.
  ///   - places: The frames at which something was heard of them.
  package init?(events: [Int], places: [Int]) {
    let delays = zip(places, events).map { $0 - $1 }
    guard let least = delays.min(), let most = delays.max(), let first = places.first else {
      return nil
    }
    if least >= -1, most - least <= 1 {
      self = .exact(least...most)
    } else if let block = Self.block(of: places.map { $0 - first }, spread: most - least) {
      self = .blocks(frames: block, early: max(0, -least))
    } else {
      self = .scattered(least...most)
    }
  }

  /// Returns the largest block of which all distances are multiples, or nearly: a sound that begins with another phase each time is
  /// heard some frames earlier or later.
  ///
  /// - Parameter spread: The difference between the greatest and the least delay: about a block.
  private static func block(of distances: [Int], spread: Int) -> Int? {
    let divisor = distances.reduce(0) { greatestDivisor($0, abs($1)) }
    if divisor > 1, spread < 2 * divisor { return divisor }
    return [1024, 512, 256, 128, 64, 32].first { block in
      let remainders = distances.map { ($0 + block / 2) & (block - 1) }
      return (remainders.max() ?? 0) - (remainders.min() ?? 0) < block / 2
        && spread >= block / 2 && 2 * spread < 5 * block
    }
  }

  /// - Parameters:
  ///   - places: The frames at which something was heard of the events.
  ///   - bits: The frames of the first bits that the events have changed; empty if unknown. They say more unless other things change,
  ///     too, such as the steps of an envelope.
  init?(events: [Int], places: [Int], bits: [Int]) {
    guard let heard = Self(events: events, places: places) else { return nil }
    guard let changed = Self(events: events, places: bits) else {
      self = heard
      return
    }
    switch (heard, changed) {
    case (_, .exact), (.scattered, .blocks), (.blocks, .blocks): self = changed
    default: self = heard
    }
  }

  private static func greatestDivisor(_ first: Int, _ second: Int) -> Int {
    second == 0 ? first : greatestDivisor(second, first % second)
  }
}

extension Placement: CustomStringConvertible {
  package var description: String {
    switch self {
    case .exact: "exact to a frame"
    case .blocks(let frames, 0): "at the next block of \(frames) frames"
    case .blocks(let frames, let early):
      "in blocks of \(frames) frames, up to \(early) frames early"
    case .scattered(let delays):
      delays.lowerBound < 0
        ? "up to \(-delays.lowerBound) frames early, \(max(0, delays.upperBound)) late"
        : "late by 0 to \(delays.count - 1) frames"
    }
  }
}
