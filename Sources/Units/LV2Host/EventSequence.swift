import CLV2
import LV2Atoms
import RenderCore

/// The memory of an atom port.
///
/// Realtime: yes, except for creation.
struct EventSequence: BitwiseCopyable {
  let memory: UnsafeMutableRawPointer
  private let size: Int
  private static let smallest = 1 << 17

  /// The bytes of the buffer of a port: more than the events that a connection can hold, and what the plugin asks for.
  static func size(_ port: LV2Port?) -> Int { max(smallest, min(port?.minimumSize ?? 0, 1 << 26)) }

  init(_ port: LV2Port, in memory: RenderMemory) {
    size = Self.size(port)
    self.memory = UnsafeMutableRawPointer(memory.make(size / 8, of: 0 as UInt64))
  }

  /// Begins an empty sequence for the plugin to read.
  @_noLocks func begin(_ types: AtomTypes) -> AtomWriter {
    memory.storeBytes(of: UInt32(size - 8), as: UInt32.self)
    return AtomWriter(memory, types)
  }

  /// Makes room for a sequence that the plugin writes.
  @_noLocks func makeRoom() {
    memory.storeBytes(of: UInt32(size - 8), as: UInt32.self)
    memory.storeBytes(of: 0, toByteOffset: 4, as: UInt32.self)
  }

  /// Forgets what the plugin has written.
  func clear() { memory.storeBytes(of: 0, as: UInt64.self) }
}
