import Synchronization

/// The value of one parameter, shared by the render thread and all other threads.
struct ParameterCell: ~Copyable {
  let parameter: ParameterRange
  /// The bits of the value at the end of the last cycle.
  private let published: Atomic<UInt32>
  /// The bits of a value that was set, and ``mark`` above them; 0: none was set.
  private let pending: Atomic<UInt64>
  // The variables below belong to the render thread.
  var value: Float
  /// The ramp: target value, start value, length in frames, and frames that have passed.
  var target: Float
  var start: Float
  var length = 0
  var done = 0
  /// Whether the last ``ParameterValues/begin()`` that returned `true` has found a value that was set.
  var isNew = false

  private static var mark: UInt64 { @_noLocks get { 1 << 32 } }

  init(_ parameter: Parameter) {
    self.parameter = ParameterRange(parameter)
    published = Atomic(parameter.defaultValue.bitPattern)
    pending = Atomic(0)
    value = parameter.defaultValue
    target = parameter.defaultValue
    start = parameter.defaultValue
  }

  var publishedValue: Float {
    Float(bitPattern: published.load(ordering: .relaxed))
  }

  /// The value that was set and is not yet in use. If it is `nil`, ``publishedValue`` is at least as new as the last
  /// value that was set.
  var pendingValue: Float? {
    let bits = pending.load(ordering: .acquiring)
    return bits == 0 ? nil : Float(bitPattern: UInt32(truncatingIfNeeded: bits))
  }

  func setPending(_ value: Float) {
    pending.store(Self.mark | UInt64(value.bitPattern), ordering: .relaxed)
  }

  /// Removes the value that was set.
  ///
  /// - Returns: The bits of the value and the mark; 0 if there is none.
  @_noLocks func takePending() -> UInt64 {
    // Load before exchanging, because an exchange costs more.
    let bits = pending.load(ordering: .relaxed)
    if bits == 0 { return 0 }
    // Publish the value before removing it, so that other threads never read the old value again. A value that is set
    // in between stays pending for the next cycle.
    published.store(UInt32(truncatingIfNeeded: bits), ordering: .relaxed)
    _ = pending.compareExchange(expected: bits, desired: 0, ordering: .releasing)
    return bits
  }

  @_noLocks func publish() { published.store(value.bitPattern, ordering: .relaxed) }
}

/// The range of a parameter, for the render thread.
struct ParameterRange: BitwiseCopyable {
  let minimum: Float
  let maximum: Float
  let isStepped: Bool

  init(_ parameter: Parameter) {
    minimum = parameter.minimum
    maximum = parameter.maximum
    isStepped = parameter.isStepped
  }

  /// Returns the nearest valid value; the minimum for NaN.
  @_noLocks func clamp(_ value: Float) -> Float {
    // The order of the comparisons maps NaN to the minimum.
    let value = value > minimum ? (value < maximum ? value : maximum) : minimum
    return isStepped ? Float(Int32(value < 0 ? value - 0.5 : value + 0.5)) : value
  }
}
