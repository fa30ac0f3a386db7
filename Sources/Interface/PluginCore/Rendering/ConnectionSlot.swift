import Glibc
import NodeHost
import Synchronization

/// A connection that render threads use, with what they must know about it.
struct ActiveConnection: BitwiseCopyable {
  let connection: Unmanaged<Connection>
  /// Different for each connection and initialization.
  let number: UInt32
  /// The value of ``PluginSignals/restart`` when the connection was initialized.
  let restart: UInt32
  /// For each control port, the index of the node's parameter; negative if the node has no such parameter.
  let indices: UnsafeMutablePointer<Int32>
  /// For each control port, the range of the node's parameter.
  let ranges: UnsafeMutablePointer<ClosedRange<Float>>
}

/// Hands the connection to the render thread, and takes it back.
///
/// `@unchecked Sendable`: the pointer is atomic.
package struct ConnectionSlot: @unchecked Sendable, BitwiseCopyable {
  /// 0 without a connection, 1 while the render thread uses it, otherwise the address of an ``ActiveConnection``.
  private let word: UnsafeMutablePointer<Atomic<UInt>>

  /// Allocates memory. The owner must call ``destroy()``.
  init() {
    word = .allocate(capacity: 1)
    word.initialize(to: Atomic(0))
  }

  func destroy() { word.deallocate() }

  /// Returns the connection until ``giveBack(_:)``; `nil` if there is none. Realtime: yes. Threads: the render thread.
  @_noLocks func take() -> UnsafeMutablePointer<ActiveConnection>? {
    let address = word.pointee.load(ordering: .acquiring)
    if address == 0 { return nil }
    let result = word.pointee.compareExchange(
      expected: address, desired: 1, ordering: .acquiringAndReleasing)
    return result.exchanged ? UnsafeMutablePointer(bitPattern: address) : nil
  }

  /// Realtime: yes. Threads: the render thread.
  @_noLocks func giveBack(_ connection: UnsafeMutablePointer<ActiveConnection>) {
    word.pointee.store(UInt(bitPattern: connection), ordering: .releasing)
  }

  /// Makes the connection available to the render thread.
  ///
  /// - Precondition: There is none.
  func put(_ connection: UnsafeMutablePointer<ActiveConnection>) {
    word.pointee.store(UInt(bitPattern: connection), ordering: .releasing)
  }

  /// Takes the connection from the render thread, if there is one, after the cycle in which it is used.
  func remove() {
    while true {
      let address = word.pointee.load(ordering: .acquiring)
      if address == 0 { return }
      if address == 1 {
        usleep(100)
        continue
      }
      let result = word.pointee.compareExchange(
        expected: address, desired: 0, ordering: .acquiringAndReleasing)
      if result.exchanged { return }
    }
  }
}
