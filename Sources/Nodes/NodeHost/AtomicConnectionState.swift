import LocalSystem
import NodeProtocol
import Synchronization

/// The state of a connection in one atomic word. Written by the thread that reads the socket and by the render thread;
/// read by any thread.
///
/// Realtime: yes, except ``init()``, ``destroy()`` and ``interruptWait(on:)``.
struct AtomicConnectionState: BitwiseCopyable {
  private let words = SharedWords(count: 2)
  private var word: SharedWord { @_noLocks get { words[0] } }
  /// 1 while the render thread waits for the node.
  private var waiting: SharedWord { @_noLocks get { words[1] } }

  /// Allocates the words. The owner must call ``destroy()``.
  init() {}

  func destroy() { words.destroy() }

  // The word is 0 (not initialized) or one of these values. `parked` and `lost` have the reason in the low byte.
  private static var running: UInt32 { @_noLocks get { 0x100 } }
  private static var parked: UInt32 { @_noLocks get { 0x200 } }
  private static var lost: UInt32 { @_noLocks get { 0x400 } }

  var isRunning: Bool { @_noLocks get { word.value == Self.running } }

  /// The status that a render call returns instead of rendering; `nil` while the connection runs.
  var obstacle: RenderStatus? {
    @_noLocks get {
      let value = word.value
      if value == Self.running { return nil }
      if value & Self.lost != 0 { return .connectionLost }
      return value & Self.parked != 0 ? .parked : .notInitialized
    }
  }

  var parkReason: ParkReason? {
    let value = word.value
    return value & Self.parked != 0 ? ParkReason(rawValue: UInt8(value & 0xFF)) : nil
  }

  var lossReason: LossReason? {
    let value = word.value
    return value & Self.lost != 0 ? LossReason(rawValue: UInt8(value & 0xFF)) : nil
  }

  /// Allows rendering, unless the connection is lost.
  func run() { change { $0 & Self.lost == 0 ? Self.running : nil } }

  /// Sets the state to not initialized, unless the connection is lost.
  func stop() { change { $0 & Self.lost == 0 ? 0 : nil } }

  /// Parks the connection if it runs.
  ///
  /// - Returns: Whether the connection was parked.
  @_noLocks @discardableResult func park(_ reason: ParkReason) -> Bool {
    word.exchange(Self.running, for: Self.parked | UInt32(reason.rawValue))
  }

  /// Marks the connection as lost, which is final. Keeps the first reason.
  ///
  /// - Returns: Whether the connection was not lost before.
  @discardableResult func lose(_ reason: LossReason) -> Bool {
    change { $0 & Self.lost == 0 ? Self.lost | UInt32(reason.rawValue) : nil }
  }

  /// Begins a wait of the render thread, which checks ``obstacle`` afterwards and before each call of the system.
  @_noLocks func beginWait() {
    waiting.store(1)
    // Either the render thread sees the new state, or the thread that changed it sees that the render thread waits.
    atomicMemoryFence(ordering: .sequentiallyConsistent)
  }

  @_noLocks func endWait() { waiting.store(0) }

  /// Ends a wait of the render thread after this state has changed.
  ///
  /// - Parameter answered: The word on which the render thread waits. It belongs to the node and is not written, so the
  ///   thread is woken repeatedly: it may have checked the state but not started to wait yet.
  func interruptWait(on answered: SharedWord) {
    atomicMemoryFence(ordering: .sequentiallyConsistent)
    while waiting.value != 0, !isRunning {
      answered.wake()
      waiting.wait(while: 1, until: MonotonicClock.now + Self.wakeInterval)
    }
  }

  /// In nanoseconds.
  private static let wakeInterval: Int64 = 100_000

  /// Replaces the value atomically by the result of `next`, unless that is `nil`.
  ///
  /// - Returns: Whether the value was replaced.
  @discardableResult private func change(_ next: (UInt32) -> UInt32?) -> Bool {
    while true {
      let value = word.value
      guard let wanted = next(value) else { return false }
      if word.exchange(value, for: wanted) { return true }
    }
  }
}
