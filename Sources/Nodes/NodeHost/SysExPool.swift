import NodeProtocol

/// Room for the bytes of System Exclusive messages that wait to be sent, in pieces as long as a slot of
/// the event FIFO, of which each names the next.
///
/// There are as many pieces as the FIFO has slots, in whatever order messages come and go: what fits
/// the FIFO fits here.
///
/// Realtime: yes, apart from making and destroying it.
struct SysExPool: BitwiseCopyable {
  /// A stored message.
  struct Message: BitwiseCopyable {
    /// Its length in bytes.
    let count: Int
    fileprivate let first: UInt16
  }

  private let bytes: UnsafeMutableRawPointer
  /// What follows a piece, in its message or among the free ones.
  private let following: UnsafeMutablePointer<UInt16>
  private var free: UInt16 = 0

  private static var pieces: Int { @_noLocks get { SegmentLayout.eventSlots } }
  private static var length: Int { @_noLocks get { SegmentLayout.slotSize } }

  init() {
    bytes = .allocate(byteCount: Self.pieces * Self.length, alignment: Self.length)
    bytes.initializeMemory(as: UInt8.self, repeating: 0, count: Self.pieces * Self.length)
    following = .allocate(capacity: Self.pieces)
    for piece in 0..<Self.pieces { (following + piece).initialize(to: UInt16(piece + 1)) }
  }

  func destroy() {
    bytes.deallocate()
    following.deallocate()
  }

  /// - Precondition: The messages stored and this one have no more pieces than there are.
  @_noLocks mutating func store(_ message: UnsafeBufferPointer<UInt8>) -> Message {
    let stored = Message(count: message.count, first: free)
    guard let source = message.baseAddress else { return stored }
    for start in stride(from: 0, to: message.count, by: Self.length) {
      precondition(free < Self.pieces)
      (bytes + Int(free) * Self.length).copyMemory(
        from: source + start, byteCount: min(Self.length, message.count - start))
      free = following[Int(free)]
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
      piece = following[Int(piece)]
    }
    return true
  }

  @_noLocks mutating func release(_ message: Message) {
    let count = Self.count(of: message)
    if count == 0 { return }
    var last = message.first
    for _ in 1..<count { last = following[Int(last)] }
    following[Int(last)] = free
    free = message.first
  }

  @_noLocks private static func count(of message: Message) -> Int {
    SegmentLayout.slots(forSysEx: message.count) - 1
  }
}
