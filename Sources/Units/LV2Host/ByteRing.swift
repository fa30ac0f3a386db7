import LocalSystem
import RenderCore

/// Messages of bytes from one thread to another.
///
/// Realtime: yes, except for creation. Threads: one puts, another one takes.
struct ByteRing: @unchecked Sendable, BitwiseCopyable {
  private let positions: RingPositions
  private let bytes: UnsafeMutablePointer<UInt8>
  private static var headerSize: Int { @_noLocks get { 4 } }

  /// - Parameter capacity: The bytes of all messages, and four for each; a power of two.
  init(capacity: Int, in memory: RenderMemory) {
    let positions = RingPositions(capacity: capacity)
    self.positions = positions
    memory.onRelease(positions.destroy)
    bytes = memory.make(capacity, of: 0)
  }

  var isEmpty: Bool { @_noLocks get { positions.count == 0 } }

  /// Appends a message.
  ///
  /// - Returns: `false` if there is no room.
  @_noLocks func put(_ message: UnsafeRawPointer?, count: Int) -> Bool {
    if count < 0 || Self.headerSize + count > positions.room { return false }
    var length = UInt32(truncatingIfNeeded: count)
    let start = positions.written.value
    withUnsafeBytes(of: &length) { copy($0, to: start) }
    copy(UnsafeRawBufferPointer(start: message, count: count), to: start &+ 4)
    positions.written.store(start &+ 4 &+ length)
    return true
  }

  /// Takes the next message out of the ring.
  ///
  /// - Parameter message: Memory for the longest message.
  /// - Returns: Its length; `nil` if there is none.
  @_noLocks func take(_ message: UnsafeMutableRawPointer) -> Int? {
    if isEmpty { return nil }
    let start = positions.read.value
    var length: UInt32 = 0
    withUnsafeMutableBytes(of: &length) { copy(from: start, to: $0) }
    copy(from: start &+ 4, to: UnsafeMutableRawBufferPointer(start: message, count: Int(length)))
    positions.read.store(start &+ 4 &+ length)
    return Int(length)
  }

  @_noLocks private func copy(_ source: UnsafeRawBufferPointer, to position: UInt32) {
    for index in 0..<source.count {
      bytes[positions.index(position &+ UInt32(index))] = source[index]
    }
  }

  @_noLocks private func copy(from position: UInt32, to target: UnsafeMutableRawBufferPointer) {
    for index in 0..<target.count {
      target[index] = bytes[positions.index(position &+ UInt32(index))]
    }
  }
}
