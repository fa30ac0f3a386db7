import Threads

/// A ring of scheduled cycles, from the scheduling thread to the render thread.
///
/// Realtime: yes, except creation and destruction. Threads: one scheduler, one renderer.
struct LookaheadRing: @unchecked Sendable, BitwiseCopyable {
  private let cycles: UnsafeMutablePointer<ScheduledCycle>
  private let atomics: UnsafeMutablePointer<UInt32>

  /// The number of cycles in the ring. It is the delay of commands, and by how much the scheduling may be late.
  static var capacity: UInt32 { @_noLocks get { 4 } }

  init() {
    cycles = .allocate(capacity: Int(Self.capacity))
    for index in 0..<Int(Self.capacity) { (cycles + index).initialize(to: ScheduledCycle()) }
    atomics = .allocate(capacity: 2)
    atomics.initialize(repeating: 0, count: 2)
  }

  func destroy() {
    for index in 0..<Int(Self.capacity) { cycles[index].destroy() }
    cycles.deallocate()
    atomics.deallocate()
  }

  private var filled: SharedWord { @_noLocks get { SharedWord(at: atomics) } }
  private var rendered: SharedWord { @_noLocks get { SharedWord(at: atomics + 1) } }

  /// The next cycle to fill; `nil` while the ring is full.
  var nextToFill: UnsafeMutablePointer<ScheduledCycle>? {
    let number = filled.value
    return number &- rendered.value < Self.capacity ? cycles + Int(number % Self.capacity) : nil
  }

  /// The number of the next cycle to fill, from 0.
  var numberToFill: UInt32 { filled.value }

  /// Returns whether all cycles before this number have been rendered.
  func hasRendered(_ number: UInt32) -> Bool { Int32(bitPattern: rendered.value &- number) >= 0 }

  /// Passes the filled cycle to the render thread.
  func finishFilling() { filled.increase() }

  /// Waits up to 100 ms until a cycle can be filled.
  func waitForRoom() {
    let rendered = rendered.value
    if nextToFill != nil { return }
    self.rendered.wait(while: rendered, until: MonotonicClock.now + 100_000_000)
  }

  /// The cycle to render; `nil` if none was filled in time.
  var nextToRender: UnsafeMutablePointer<ScheduledCycle>? {
    @_noLocks get {
      let number = rendered.value
      return number == filled.value ? nil : cycles + Int(number % Self.capacity)
    }
  }

  /// Returns the rendered cycle to the scheduler.
  @_noLocks func finishRendering() {
    rendered.increase()
    rendered.wake()
  }
}
