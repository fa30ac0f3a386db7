import RenderCore

/// Keeps the dry sound that the lanes of a group render in a cycle, apart for each note.
///
/// Realtime: yes, except ``reserve(_:)`` and ``destroy()``.
struct NoteSound {
  private var blocks: UnsafeMutablePointer<Block>
  private var samples: UnsafeMutablePointer<Float>
  private var capacity = 0
  private(set) var count = 0
  /// Whether a block did not fit, which ``reserve(_:)`` prevents.
  private(set) var isIncomplete = false

  private struct Block: BitwiseCopyable {
    var note: Int32
    var frame: Int64
  }

  init() {
    blocks = .allocate(capacity: 0)
    samples = .allocate(capacity: 0)
  }

  /// The samples of a block: left, then right.
  private static var blockSamples: Int { @_noLocks get { 2 * Lane.blockFrames } }

  /// Forgets the last cycle, and makes room for the next one. Memory that is not written to is not used.
  mutating func reserve(_ blockCount: Int) {
    count = 0
    if blockCount <= capacity { return }
    destroy()
    capacity = max(blockCount, 2 * capacity)
    blocks = .allocate(capacity: capacity)
    samples = .allocate(capacity: capacity * Self.blockSamples)
  }

  /// Adds blocks of a lane's note.
  ///
  /// - Parameters:
  ///   - frame: The first frame.
  ///   - left: May be `nil`, for silence.
  ///   - right: The same for the right channel.
  ///   - frames: Whole blocks.
  @_noLocks mutating func add(
    _ note: Int32, at frame: Int64, _ left: UnsafePointer<Float>?, _ right: UnsafePointer<Float>?,
    frames: Int
  ) {
    guard note >= 0 else { return }
    for offset in stride(from: 0, to: frames, by: Lane.blockFrames) {
      guard count < capacity else {
        isIncomplete = true
        return
      }
      (blocks + count).initialize(to: Block(note: note, frame: frame + Int64(offset)))
      let target = samples + count * Self.blockSamples
      Self.copy(left.map { $0 + offset }, to: target)
      Self.copy(right.map { $0 + offset }, to: target + Lane.blockFrames)
      count += 1
    }
  }

  @_noLocks private static func copy(
    _ source: UnsafePointer<Float>?, to target: UnsafeMutablePointer<Float>
  ) {
    // As in a mix of the note alone, so that a note has the same bits in every song.
    for i in 0..<Lane.blockFrames { target[i] = source.map { FixedPoint.rounded($0[i]) } ?? 0 }
  }

  /// Returns a block of the last cycle. The blocks of a note are in their order.
  func block(_ index: Int, _ log: NoteLog) -> NoteBlock {
    let left = UnsafePointer(samples + index * Self.blockSamples)
    return NoteBlock(
      note: Int(blocks[index].note), logged: log.notes[Int(blocks[index].note)],
      frame: Int(blocks[index].frame),
      left: UnsafeBufferPointer(start: left, count: Lane.blockFrames),
      right: UnsafeBufferPointer(start: left + Lane.blockFrames, count: Lane.blockFrames))
  }

  func destroy() {
    blocks.deallocate()
    samples.deallocate()
  }
}

/// A part of a note's dry sound.
public struct NoteBlock {
  /// The number of the note, from 0, in the order of the note-ons. Those that channels return to follow.
  public let note: Int
  /// The log of the note so far.
  public let logged: LoggedNote
  /// The first frame, from the instrument's first frame.
  public let frame: Int
  /// The samples, which are valid until the next cycle is prepared.
  public let left, right: UnsafeBufferPointer<Float>
}
