import Synchronization

/// The values of a unit's parameters at the current frame, for the render thread.
///
/// In each cycle a unit calls ``begin()`` first. For each step of the cycle it then calls ``apply(_:)`` or
/// ``advance(frames:)`` and reads the values. It calls ``publish()`` last.
///
/// Realtime: yes. Threads: the unit's render thread. Valid as long as the ``ParameterStore`` exists.
///
/// `@unchecked Sendable`: only the render thread uses the values; it shares only atomics with other threads.
public struct ParameterValues: @unchecked Sendable, BitwiseCopyable {
  private let cells: UnsafeMutablePointer<ParameterCell>
  public let count: Int
  private let hasPending: UnsafeMutablePointer<Atomic<UInt32>>
  /// The number of ramps in progress.
  private var ramps = 0

  init(
    _ cells: UnsafeMutablePointer<ParameterCell>, count: Int,
    hasPending: UnsafeMutablePointer<Atomic<UInt32>>
  ) {
    self.cells = cells
    self.count = count
    self.hasPending = hasPending
  }

  /// Applies the values that other threads have set.
  ///
  /// - Returns: Whether any value was set.
  @_noLocks @discardableResult public mutating func begin() -> Bool {
    if hasPending.pointee.load(ordering: .relaxed) == 0 { return false }
    // Clear the flag before reading the values, so that a value set in between is found in this cycle or the next.
    _ = hasPending.pointee.exchange(0, ordering: .acquiring)
    for index in 0..<count {
      let bits = cells[index].takePending()
      cells[index].isNew = bits != 0
      if bits == 0 { continue }
      let value = Float(bitPattern: UInt32(truncatingIfNeeded: bits))
      apply(ParameterChange(offset: 0, index: UInt32(index), value: value))
    }
    return true
  }

  /// Whether another thread has set the value, after ``begin()`` has returned `true`.
  @_noLocks package func isNew(_ index: Int) -> Bool { cells[index].isNew }

  /// Starts a change at the current frame. The change's offset is ignored.
  @_noLocks public mutating func apply(_ change: ParameterChange) {
    let index = Int(change.index)
    if index >= count { return }
    if cells[index].done < cells[index].length { ramps -= 1 }
    let target = cells[index].parameter.clamp(change.value)
    cells[index].target = target
    cells[index].start = cells[index].value
    cells[index].done = 0
    cells[index].length = cells[index].parameter.isStepped ? 0 : Int(change.ramp)
    if cells[index].length == 0 { cells[index].value = target } else { ramps += 1 }
  }

  /// Advances the current frame by `frames`.
  @_noLocks public mutating func advance(frames: Int) {
    if ramps == 0 { return }
    for index in 0..<count where cells[index].done < cells[index].length {
      cells[index].value = value(index, after: frames)
      cells[index].done += frames
      if cells[index].done >= cells[index].length { ramps -= 1 }
    }
  }

  /// The value of a parameter at the current frame.
  public subscript(index: Int) -> Float { @_noLocks get { cells[index].value } }

  /// Returns the value of a parameter `frames` after the current frame, if no change starts before that.
  @_noLocks public func value(_ index: Int, after frames: Int) -> Float {
    let (done, length) = (cells[index].done, cells[index].length)
    if done >= length { return cells[index].value }
    if done + frames >= length { return cells[index].target }
    let part = Double(done + frames) / Double(length)
    let (start, target) = (Double(cells[index].start), Double(cells[index].target))
    return Float(start + (target - start) * part)
  }

  /// Whether a ramp is in progress. If not, no value changes until the next change is applied.
  public var isRamping: Bool { @_noLocks get { ramps > 0 } }

  /// Makes the values visible to other threads.
  @_noLocks public func publish() {
    for index in 0..<count { cells[index].publish() }
  }
}
