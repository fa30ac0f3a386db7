import Synchronization

/// The pitch bends and pedals of a resonator's channels, shared between the render thread and other threads.
///
/// The render thread publishes the current values. Other threads read them and set pending values, which the render
/// thread applies at the start of the next cycle. Each channel is consistent by itself; different channels may come
/// from different cycles.
///
/// `@unchecked Sendable`: every number is atomic.
struct ResonatorChannels: @unchecked Sendable, BitwiseCopyable {
  /// The current values of the 16 channels, then the pending ones.
  private let cells: UnsafeMutablePointer<Atomic<UInt16>>
  /// How often values were set, and the count that was applied last.
  private let counts: UnsafeMutablePointer<Atomic<UInt32>>

  /// The initial value of a channel. The lower 14 bits are the bend, 0…16383 with 8192 as the center.
  static var initial: UInt16 { @_noLocks get { 8192 } }
  /// The bit of a channel's value that is set while the pedal is down.
  static var pedal: UInt16 { @_noLocks get { 1 << 14 } }

  /// Allocates the memory. ``destroy()`` must be called at the end.
  init() {
    cells = .allocate(capacity: 32)
    for index in 0..<32 { (cells + index).initialize(to: Atomic(Self.initial)) }
    counts = .allocate(capacity: 2)
    for index in 0..<2 { (counts + index).initialize(to: Atomic(0)) }
  }

  func destroy() {
    cells.deallocate()
    counts.deallocate()
  }

  /// The values of all 16 channels: the pending ones until they are applied. Threads: any.
  var all: [UInt16] {
    let applied = counts[1].load(ordering: .acquiring)
    let first = applied == counts[0].load(ordering: .acquiring) ? 0 : 16
    return (0..<16).map { cells[first + $0].load(ordering: .relaxed) }
  }

  /// Sets the pending values of all 16 channels. Threads: one at a time.
  func setPending(_ channels: [UInt16]) {
    for (index, channel) in channels.enumerated() {
      cells[16 + index].store(channel, ordering: .relaxed)
    }
    counts[0].add(1, ordering: .releasing)
  }

  /// Publishes the current values of a channel. Threads: the render thread.
  @_noLocks func publish(_ channel: Int, bend: Double, isPedalDown: Bool) {
    let bend = UInt16(bend / ResonatorState.bendRange * 8192 + 8192)
    cells[channel].store(isPedalDown ? bend | Self.pedal : bend, ordering: .relaxed)
  }

  /// Returns the number of the pending change; `nil` if there is none.
  ///
  /// ``acknowledge(_:)`` must be called once the change has been applied and published. Threads: the render thread.
  @_noLocks func pendingChange() -> UInt32? {
    let count = counts[0].load(ordering: .acquiring)
    return count == counts[1].load(ordering: .relaxed) ? nil : count
  }

  /// Marks a change as applied. Threads: the render thread.
  @_noLocks func acknowledge(_ change: UInt32) { counts[1].store(change, ordering: .releasing) }

  /// Returns the pending values of a channel: its bend in semitones, and whether its pedal is down. Threads: the
  /// render thread.
  @_noLocks func pending(_ channel: Int) -> (bend: Double, isPedalDown: Bool) {
    let cell = cells[16 + channel].load(ordering: .relaxed)
    let bend = (Double(cell & (Self.pedal - 1)) - 8192) / 8192 * ResonatorState.bendRange
    return (bend, cell & Self.pedal != 0)
  }
}
