import NodeProtocol
import RenderCore

/// What a host says of its song for the next cycle, until that begins.
///
/// Realtime: yes, apart from making and destroying it.
struct TransportList: BitwiseCopyable {
  private let list: UnsafeMutablePointer<TransportPoint>
  private var count = 0

  init() { list = .allocate(capacity: TransportWriter.capacity) }

  func destroy() { list.deallocate() }

  @_noLocks mutating func removeAll() { count = 0 }

  /// - Parameter offset: 0 or more.
  /// - Returns: `false` when the cycle has as many as it can.
  @_noLocks mutating func insert(_ transport: Transport, at offset: UInt32) -> Bool {
    var place = count
    while place > 0, list[place - 1].offset > offset { place -= 1 }
    // What is said again of a frame holds.
    let isNew = place == 0 || list[place - 1].offset != offset
    if !isNew { place -= 1 }
    if isNew {
      if count == TransportWriter.capacity { return false }
      var last = count
      while last > place {
        list[last] = list[last - 1]
        last -= 1
      }
      count += 1
    }
    list[place] = TransportPoint(offset: offset, transport)
    return true
  }

  /// Those within the cycle, in order.
  @_noLocks func points(frames: Int) -> UnsafeBufferPointer<TransportPoint> {
    var count = count
    while count > 0, Int(list[count - 1].offset) >= frames { count -= 1 }
    return UnsafeBufferPointer(start: list, count: count)
  }
}
