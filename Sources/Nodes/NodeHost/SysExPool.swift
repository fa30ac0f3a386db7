import NodeProtocol
import RenderCore

/// Storage for the bytes of scheduled System Exclusive messages: linked lists of pieces with the size of a FIFO slot.
///
/// The pool has as many pieces as the event FIFO has slots, and is never fragmented. So messages that fit into the FIFO
/// fit into the pool, in whatever order they are stored and released.
///
/// Realtime: yes, except creation.
struct SysExPool: BitwiseCopyable {
  /// A stored message.
  struct Message: BitwiseCopyable {
    /// The length in bytes.
    let count: Int
    fileprivate let first: UInt16
  }

  private let bytes: UnsafeMutablePointer<UInt8>
  /// For each piece, the next piece of its message or of the free list.
  private let next: UnsafeMutablePointer<UInt16>
  private var free: UInt16 = 0

  private static var pieces: Int { @_noLocks get { SegmentLayout.eventSlots } }
  private static var length: Int { @_noLocks get { SegmentLayout.slotSize } }

  init(in memory: RenderMemory) {
    bytes = memory.make(Self.pieces * Self.length, of: 0)
    next = memory.makeEach(Self.pieces) { UInt16($0 + 1) }
  }

  /// Stores a copy of a message.
  ///
  /// - Precondition: There are enough free pieces for the message.
  @_noLocks mutating func store(_ message: UnsafeBufferPointer<UInt8>) -> Message {
    let stored = Message(count: message.count, first: free)
    guard let source = message.baseAddress else { return stored }
    for start in stride(from: 0, to: message.count, by: Self.length) {
      precondition(free < Self.pieces)
      UnsafeMutableRawPointer(bytes + Int(free) * Self.length).copyMemory(
        from: source + start, byteCount: min(Self.length, message.count - start))
      free = next[Int(free)]
    }
    return stored
  }

  /// Copies a message into a FIFO, piece by piece.
  ///
  /// - Returns: `false` when the FIFO is full.
  @_noLocks func write(
    _ message: Message, to writer: inout EventWriter, at frame: Int64
  ) -> Bool {
    guard writer.begin(sysEx: message.count, at: frame) else { return false }
    var piece = message.first
    for _ in 0..<Self.count(of: message) {
      writer.append(bytes + Int(piece) * Self.length)
      piece = next[Int(piece)]
    }
    return true
  }

  @_noLocks mutating func release(_ message: Message) {
    let count = Self.count(of: message)
    if count == 0 { return }
    var last = message.first
    for _ in 1..<count { last = next[Int(last)] }
    next[Int(last)] = free
    free = message.first
  }

  @_noLocks private static func count(of message: Message) -> Int {
    SegmentLayout.slots(forSysEx: message.count) - 1
  }
}
