import NodeProtocol
import RenderCore

/// The transports that a host has set for the next cycle, in order of their offsets.
///
/// Realtime: yes, except creation.
struct TransportList: BitwiseCopyable {
  private let list: UnsafeMutablePointer<TransportPoint>
  private var count = 0

  init(in memory: RenderMemory) {
    list = memory.make(TransportWriter.capacity, of: TransportPoint(offset: 0, Transport()))
  }

  @_noLocks mutating func removeAll() { count = 0 }

  /// Inserts a transport, replacing one with the same offset.
  ///
  /// - Returns: `false` when the list is full.
  @_noLocks mutating func insert(_ transport: Transport, at offset: UInt32) -> Bool {
    var index = count
    while index > 0, list[index - 1].offset > offset { index -= 1 }
    let isNew = index == 0 || list[index - 1].offset != offset
    if !isNew { index -= 1 }
    if isNew {
      if count == TransportWriter.capacity { return false }
      var last = count
      while last > index {
        list[last] = list[last - 1]
        last -= 1
      }
      count += 1
    }
    list[index] = TransportPoint(offset: offset, transport)
    return true
  }

  /// Returns the transports within the cycle, in order.
  @_noLocks func points(frames: Int) -> UnsafeBufferPointer<TransportPoint> {
    var count = count
    while count > 0, Int(list[count - 1].offset) >= frames { count -= 1 }
    return UnsafeBufferPointer(start: list, count: count)
  }
}
