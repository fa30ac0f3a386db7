import NodeProtocol
import Threads

/// The state of a connection in one atomic word. Written by the thread that reads the socket and by the render thread;
/// read by any thread.
///
/// Realtime: yes.
struct AtomicConnectionState: BitwiseCopyable {
  private let word: SharedWord

  /// - Parameter memory: Four bytes, aligned and zero, which must outlive this value.
  init(at memory: UnsafeMutableRawPointer) { word = SharedWord(at: memory) }

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
