import RenderCore
import Synchronization

/// The keys that a unit plays now, and how often each was struck, for display.
///
/// Each key has a word: the low half has a bit for each channel that holds the key, and the high half counts note-ons,
/// so that a reader also notices a note between two looks.
///
/// Realtime: yes, except ``init()``, which allocates, and ``destroy()``, which the owner must call. Threads: the render
/// thread writes with release order, others read.
///
/// `@unchecked Sendable`: the memory is atomic.
package struct KeyActivity: @unchecked Sendable, BitwiseCopyable {
  private let words: UnsafeMutablePointer<Atomic<UInt32>>

  init() {
    words = .allocate(capacity: 128)
    for key in 0..<128 { (words + key).initialize(to: Atomic(0)) }
  }

  func destroy() { words.deallocate() }

  /// Follows what the unit plays.
  ///
  /// - Parameter sound: The sound of a zone. Sounds that play the same key of a channel have different bits, unless there
  ///   are more than 16.
  @_noLocks func follow(_ message: ChannelMessage, of sound: UInt8 = 0) {
    let bit = UInt32(1) << UInt32((message.channel &+ sound) & 15)
    if message.startsNote {
      let key = words + Int(message.data1 & 127)
      let old = key.pointee.load(ordering: .relaxed)
      key.pointee.store((old | bit) &+ 0x1_0000, ordering: .releasing)
    } else if message.endsNote {
      clear(bit, at: Int(message.data1 & 127))
    } else if message.kind == .controlChange, message.data1 == 120 || message.data1 >= 123 {
      for key in 0..<128 { clear(bit, at: key) }
    }
  }

  /// Follows a System Exclusive message, which may reset the unit and so end its notes.
  ///
  /// - Parameter bytes: Without F0 and F7.
  @_noLocks func follow(sysEx bytes: UnsafeBufferPointer<UInt8>) {
    guard SystemExclusive.resets(bytes) else { return }
    for key in 0..<128 { clear(0xFFFF, at: key) }
  }

  @_noLocks private func clear(_ bit: UInt32, at key: Int) {
    let old = words[key].load(ordering: .relaxed)
    if old & bit != 0 { words[key].store(old & ~bit, ordering: .releasing) }
  }

  /// Whether a key is held, and the number of its note-ons modulo 2¹⁶.
  func state(of key: Int) -> (isHeld: Bool, strikes: UInt16) {
    let word = words[key].load(ordering: .acquiring)
    return (word & 0xFFFF != 0, UInt16(truncatingIfNeeded: word >> 16))
  }
}

/// A key that is held or was struck, as ``LiveInput/playedKeys`` reports it.
package struct PlayedKey: Equatable, Sendable {
  package let key: UInt8
  package let isHeld: Bool
  /// The number of note-ons modulo 2¹⁶.
  package let strikes: UInt16
}
