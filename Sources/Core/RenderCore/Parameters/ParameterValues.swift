import Synchronization

/// The values of a unit's parameters on the render thread: what each is at the frame that has been reached.
///
/// A unit calls ``begin()`` first in each cycle; then, from one happening to the next, ``apply(_:)`` and
/// ``advance(frames:)``, and in between reads the values; and ``publish()`` last.
///
/// Realtime: yes. Threads: the unit's render thread. Valid as long as the ``ParameterBoard``.
public struct ParameterValues: @unchecked Sendable, BitwiseCopyable {
  private let cells: UnsafeMutablePointer<ParameterCell>
  public let count: Int
  private let news: UnsafeMutablePointer<Atomic<UInt32>>
  /// How many ramps are not over.
  private var ramps = 0

  init(
    _ cells: UnsafeMutablePointer<ParameterCell>, count: Int,
    news: UnsafeMutablePointer<Atomic<UInt32>>
  ) {
    self.cells = cells
    self.count = count
    self.news = news
  }

  /// Takes over what was set from other threads.
  ///
  /// - Returns: Whether there was anything.
  @_noLocks @discardableResult public mutating func begin() -> Bool {
    if news.pointee.load(ordering: .relaxed) == 0 { return false }
    // Before the values, so that one that is set meanwhile is found in this cycle or the next.
    _ = news.pointee.exchange(0, ordering: .acquiring)
    for index in 0..<count {
      let bits = cells[index].takePending()
      if bits == 0 { continue }
      let value = Float(bitPattern: UInt32(truncatingIfNeeded: bits))
      apply(ParameterChange(offset: 0, index: UInt32(index), value: value))
    }
    return true
  }

  /// Begins a change at the frame that has been reached. Its offset means nothing here.
  @_noLocks public mutating func apply(_ change: ParameterChange) {
    let index = Int(change.index)
    if index >= count { return }
    if cells[index].done < cells[index].length { ramps -= 1 }
    let target = cells[index].parameter.tame(change.value)
    cells[index].target = target
    cells[index].start = cells[index].value
    cells[index].done = 0
    cells[index].length = cells[index].parameter.isStepped ? 0 : Int(change.ramp)
    if cells[index].length == 0 { cells[index].value = target } else { ramps += 1 }
  }

  /// Goes on by so many frames.
  @_noLocks public mutating func advance(frames: Int) {
    if ramps == 0 { return }
    for index in 0..<count where cells[index].done < cells[index].length {
      cells[index].value = value(index, after: frames)
      cells[index].done += frames
      if cells[index].done >= cells[index].length { ramps -= 1 }
    }
  }

  /// A parameter's value at the frame that has been reached.
  public subscript(index: Int) -> Float { @_noLocks get { cells[index].value } }

  /// Its value so many frames later, if no change begins until then.
  @_noLocks public func value(_ index: Int, after frames: Int) -> Float {
    let (done, length) = (cells[index].done, cells[index].length)
    if done >= length { return cells[index].value }
    if done + frames >= length { return cells[index].target }
    let part = Double(done + frames) / Double(length)
    let (start, target) = (Double(cells[index].start), Double(cells[index].target))
    return Float(start + (target - start) * part)
  }

  /// Whether any parameter is on its way: if not, none changes until the next happening.
  public var isRamping: Bool { @_noLocks get { ramps > 0 } }

  /// Lets other threads see the values.
  @_noLocks public func publish() {
    for index in 0..<count { cells[index].publish() }
  }
}
