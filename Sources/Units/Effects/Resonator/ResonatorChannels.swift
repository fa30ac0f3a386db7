import Synchronization

/// What a resonator's channels were told, pitch bends and pedals, between the render thread and all others.
///
/// The render thread writes down what they are; others read it, and put down what they are to become, which the
/// render thread takes over at the beginning of the next cycle. Each channel is whole; two may be of different
/// cycles.
///
/// `@unchecked Sendable`: every number is atomic.
struct ResonatorChannels: @unchecked Sendable, BitwiseCopyable {
  /// What the channels are, then what they are to become.
  private let cells: UnsafeMutablePointer<Atomic<UInt16>>
  /// How often something was put down, and how often it was taken over.
  private let counts: UnsafeMutablePointer<Atomic<UInt32>>

  /// One channel: the bend, 0…16383 with 8192 in the middle, and above it the pedal.
  static var fresh: UInt16 { @_noLocks get { 8192 } }
  static var pedal: UInt16 { @_noLocks get { 1 << 14 } }

  /// Allocates. ``destroy()`` must follow.
  init() {
    cells = .allocate(capacity: 32)
    for index in 0..<32 { (cells + index).initialize(to: Atomic(Self.fresh)) }
    counts = .allocate(capacity: 2)
    for index in 0..<2 { (counts + index).initialize(to: Atomic(0)) }
  }

  func destroy() {
    cells.deallocate()
    counts.deallocate()
  }

  /// All sixteen; where something was put down that is not taken over, that.
  var all: [UInt16] {
    let taken = counts[1].load(ordering: .acquiring)
    let first = taken == counts[0].load(ordering: .acquiring) ? 0 : 16
    return (0..<16).map { cells[first + $0].load(ordering: .relaxed) }
  }

  /// Puts down what all sixteen are to become. One thread at a time.
  func put(_ channels: [UInt16]) {
    for (index, channel) in channels.enumerated() {
      cells[16 + index].store(channel, ordering: .relaxed)
    }
    counts[0].add(1, ordering: .releasing)
  }

  /// Render thread.
  @_noLocks func publish(_ channel: Int, bend: Double, isPedalDown: Bool) {
    let bend = UInt16(bend / ResonatorState.bendRange * 8192 + 8192)
    cells[channel].store(isPedalDown ? bend | Self.pedal : bend, ordering: .relaxed)
  }

  /// What was put down and is not taken over. Render thread; ``take(_:)`` must follow, once it is published.
  ///
  /// - Returns: `nil` if there is nothing.
  @_noLocks func news() -> UInt32? {
    let count = counts[0].load(ordering: .acquiring)
    return count == counts[1].load(ordering: .relaxed) ? nil : count
  }

  @_noLocks func take(_ news: UInt32) { counts[1].store(news, ordering: .releasing) }

  /// What a channel is to become: its bend in semitones, and whether its pedal is down. Render thread.
  @_noLocks func wanted(_ channel: Int) -> (bend: Double, isPedalDown: Bool) {
    let cell = cells[16 + channel].load(ordering: .relaxed)
    let bend = (Double(cell & (Self.pedal - 1)) - 8192) / 8192 * ResonatorState.bendRange
    return (bend, cell & Self.pedal != 0)
  }
}
