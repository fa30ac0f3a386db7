import NodeProtocol
import Threads

/// How a connection stands, in one atomic word: written by the thread that watches the socket and by the
/// render thread, read by all.
///
/// Realtime: yes.
struct AtomicConnectionState: BitwiseCopyable {
  private let word: SharedWord

  /// - Parameter memory: Four bytes, aligned, zero, which outlive this.
  init(at memory: UnsafeMutableRawPointer) { word = SharedWord(at: memory) }

  // Nothing, one of these, or one of the last two with its reason in the lower byte.
  private static var running: UInt32 { @_noLocks get { 0x100 } }
  private static var parked: UInt32 { @_noLocks get { 0x200 } }
  private static var lost: UInt32 { @_noLocks get { 0x400 } }

  var isRunning: Bool { @_noLocks get { word.value == Self.running } }

  /// What a render call answers instead of rendering; `nil` while the connection runs.
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

  /// Lets cycles be rendered, unless the connection is lost.
  func run() { change { $0 & Self.lost == 0 ? Self.running : nil } }

  /// Takes back what ``run()`` did, unless the connection is lost.
  func stop() { change { $0 & Self.lost == 0 ? 0 : nil } }

  /// Parks a connection that runs.
  ///
  /// - Returns: Whether it did.
  @_noLocks @discardableResult func park(_ reason: ParkReason) -> Bool {
    word.exchange(Self.running, for: Self.parked | UInt32(reason.rawValue))
  }

  /// Ends the connection for ever. The first reason stays.
  ///
  /// - Returns: Whether this was the first.
  @discardableResult func lose(_ reason: LossReason) -> Bool {
    change { $0 & Self.lost == 0 ? Self.lost | UInt32(reason.rawValue) : nil }
  }

  /// - Returns: Whether there was anything to change.
  @discardableResult private func change(_ next: (UInt32) -> UInt32?) -> Bool {
    while true {
      let value = word.value
      guard let wanted = next(value) else { return false }
      if word.exchange(value, for: wanted) { return true }
    }
  }
}
