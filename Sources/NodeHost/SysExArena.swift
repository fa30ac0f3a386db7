/// Room for the bytes of System Exclusive messages that wait to be sent.
///
/// A ring: messages are stored one behind another, and room is given back when the oldest is let go, in
/// whatever order the others are.
///
/// Realtime: yes, apart from making and destroying it.
struct SysExArena {
  private struct Block: BitwiseCopyable {
    var count: UInt32 = 0
    var isStored = false
  }

  private let bytes: UnsafeMutablePointer<UInt8>
  private let blocks: UnsafeMutablePointer<Block>
  /// Bytes and messages since the beginning, modulo 2³²: the ends of both rings.
  private var head: UInt32 = 0
  private var tail: UInt32 = 0
  private var firstBlock: UInt32 = 0
  private var nextBlock: UInt32 = 0

  /// A power of two, and more than the longest message.
  private static var capacity: UInt32 { @_noLocks get { 65_536 } }
  private static var blockCapacity: UInt32 { @_noLocks get { 1024 } }

  /// A stored message.
  struct Message: BitwiseCopyable {
    fileprivate let block: UInt32
    fileprivate let start: UInt32
    let count: UInt32
  }

  init() {
    bytes = .allocate(capacity: Int(Self.capacity))
    blocks = .allocate(capacity: Int(Self.blockCapacity))
    blocks.initialize(repeating: Block(), count: Int(Self.blockCapacity))
  }

  func destroy() {
    bytes.deallocate()
    blocks.deallocate()
  }

  /// - Returns: `nil` when there is no room.
  @_noLocks mutating func store(_ message: UnsafeBufferPointer<UInt8>) -> Message? {
    let free = Self.capacity - (head &- tail)
    guard message.count <= Int(free), nextBlock &- firstBlock < Self.blockCapacity else {
      return nil
    }
    let count = UInt32(message.count)
    let stored = Message(block: nextBlock, start: head, count: count)
    blocks[Int(nextBlock % Self.blockCapacity)] = Block(count: count, isStored: true)
    nextBlock &+= 1
    if let source = message.baseAddress {
      let place = Int(head % Self.capacity)
      let first = min(message.count, Int(Self.capacity) - place)
      UnsafeMutableRawPointer(bytes + place).copyMemory(from: source, byteCount: first)
      UnsafeMutableRawPointer(bytes).copyMemory(
        from: source + first, byteCount: message.count - first)
    }
    head &+= count
    return stored
  }

  /// A message's bytes: in two pieces where it lies around the ring's end.
  @_noLocks func pieces(
    of message: Message
  ) -> (UnsafeBufferPointer<UInt8>, UnsafeBufferPointer<UInt8>) {
    let place = Int(message.start % Self.capacity)
    let first = min(Int(message.count), Int(Self.capacity) - place)
    return (
      UnsafeBufferPointer(start: bytes + place, count: first),
      UnsafeBufferPointer(start: bytes, count: Int(message.count) - first)
    )
  }

  @_noLocks mutating func release(_ message: Message) {
    blocks[Int(message.block % Self.blockCapacity)].isStored = false
    while firstBlock != nextBlock {
      let block = blocks[Int(firstBlock % Self.blockCapacity)]
      if block.isStored { return }
      tail &+= block.count
      firstBlock &+= 1
    }
  }
}
