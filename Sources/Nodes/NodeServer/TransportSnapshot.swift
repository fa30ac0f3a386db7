import RenderCore
import Synchronization

/// A host's transport, written by the render thread in each cycle and read by other threads.
///
/// A sequence lock: a reader that overlaps a write reads again; the writer never waits.
///
/// Realtime: writing. Threads: one thread writes; any thread reads.
struct TransportSnapshot: @unchecked Sendable, BitwiseCopyable {
  /// Odd during a write.
  private let sequence: UnsafeMutablePointer<Atomic<UInt64>>
  private let atomics: UnsafeMutablePointer<Atomic<UInt64>>
  private static var count: Int { @_noLocks get { 9 } }

  /// Allocates memory. The caller must call ``destroy()``.
  init() {
    sequence = .allocate(capacity: 1)
    sequence.initialize(to: Atomic(0))
    atomics = .allocate(capacity: Self.count)
    for index in 0..<Self.count { (atomics + index).initialize(to: Atomic(0)) }
  }

  func destroy() {
    sequence.deallocate()
    atomics.deallocate()
  }

  /// Stores the last transport of a cycle.
  ///
  /// - Parameter points: The transports of the cycle; may be empty.
  @_noLocks func write(_ points: UnsafeBufferPointer<TransportPoint>) {
    let begun = sequence.pointee.load(ordering: .relaxed)
    sequence.pointee.store(begun &+ 1, ordering: .relaxed)
    atomicMemoryFence(ordering: .releasing)
    if points.count > 0 { put(points[points.count - 1].transport) } else { put(0, 0) }
    sequence.pointee.store(begun &+ 2, ordering: .releasing)
  }

  @_noLocks private func put(_ transport: Transport) {
    var flags = UInt64(transport.provides.rawValue) | Self.isProvided
    if transport.isPlaying { flags |= Self.isPlaying }
    if transport.isRecording { flags |= Self.isRecording }
    if transport.isLooping { flags |= Self.isLooping }
    put(0, flags)
    put(1, UInt64(transport.meter.count) << 16 | UInt64(transport.meter.unit))
    put(2, transport.beat.bitPattern)
    put(3, transport.tempo.bitPattern)
    put(4, transport.tempoSlope.bitPattern)
    put(5, transport.barStart.bitPattern)
    put(6, transport.loopStart.bitPattern)
    put(7, transport.loopEnd.bitPattern)
    put(8, UInt64(bitPattern: transport.songFrame))
  }

  /// The transport of the last cycle; `nil` if the host provided none or nothing was rendered yet.
  var value: Transport? {
    while true {
      let begun = sequence.pointee.load(ordering: .acquiring)
      let transport = read()
      atomicMemoryFence(ordering: .acquiring)
      if begun % 2 == 0, sequence.pointee.load(ordering: .relaxed) == begun { return transport }
    }
  }

  private func read() -> Transport? {
    let flags = get(0)
    if flags & Self.isProvided == 0 { return nil }
    var transport = Transport(provides: .init(rawValue: UInt32(flags & 0xFFFF)))
    transport.isPlaying = flags & Self.isPlaying != 0
    transport.isRecording = flags & Self.isRecording != 0
    transport.isLooping = flags & Self.isLooping != 0
    transport.meter = Meter(
      UInt16(truncatingIfNeeded: get(1) >> 16), UInt16(truncatingIfNeeded: get(1)))
    transport.beat = Double(bitPattern: get(2))
    transport.tempo = Double(bitPattern: get(3))
    transport.tempoSlope = Double(bitPattern: get(4))
    transport.barStart = Double(bitPattern: get(5))
    transport.loopStart = Double(bitPattern: get(6))
    transport.loopEnd = Double(bitPattern: get(7))
    transport.songFrame = Int64(bitPattern: get(8))
    return transport
  }

  @_noLocks private func put(_ index: Int, _ value: UInt64) {
    atomics[index].store(value, ordering: .relaxed)
  }

  private func get(_ index: Int) -> UInt64 { atomics[index].load(ordering: .relaxed) }

  // Flags above the 16 bits of `Transport.provides`.
  private static var isProvided: UInt64 { @_noLocks get { 1 << 16 } }
  private static var isPlaying: UInt64 { @_noLocks get { 1 << 17 } }
  private static var isRecording: UInt64 { @_noLocks get { 1 << 18 } }
  private static var isLooping: UInt64 { @_noLocks get { 1 << 19 } }
}
