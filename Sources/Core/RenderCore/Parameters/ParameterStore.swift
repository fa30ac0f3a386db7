import Synchronization

/// The values of a unit's parameters, between the render thread and all others.
///
/// The render thread has ``values``. Everybody else reads what they are, and sets them: what is set is taken
/// over at the beginning of the next cycle, and of two settings meanwhile, the later one.
///
/// Realtime: no. Threads: any, at once.
public final class ParameterStore: @unchecked Sendable {
  public let tree: ParameterTree
  /// The render thread's side. Valid as long as this lives.
  public let values: ParameterValues
  private let memory: UnsafeMutablePointer<ParameterCell>
  private let news: UnsafeMutablePointer<Atomic<UInt32>>

  /// Everything at its default.
  public init(_ tree: ParameterTree) {
    self.tree = tree
    let count = tree.parameters.count
    memory = .allocate(capacity: max(1, count))
    for (index, parameter) in tree.parameters.enumerated() {
      (memory + index).initialize(to: ParameterCell(parameter))
    }
    news = .allocate(capacity: 1)
    news.initialize(to: Atomic(0))
    values = ParameterValues(memory, count: count, news: news)
  }

  deinit {
    memory.deallocate()
    news.deallocate()
  }

  /// The value that a parameter has at the end of the last cycle, or will have from the next on if it was set
  /// since.
  public func value(_ index: Int) -> Float {
    precondition(tree.parameters.indices.contains(index), "there is no such parameter")
    return memory[index].pendingValue ?? memory[index].publishedValue
  }

  /// All values, by identifier.
  public var all: [String: Float] {
    var all: [String: Float] = [:]
    for (index, parameter) in tree.parameters.enumerated() {
      all[parameter.identifier] = value(index)
    }
    return all
  }

  /// Sets a parameter.
  ///
  /// - Throws: ``ParameterError``, and nothing has changed.
  public func set(_ identifier: String, to value: Float) throws(ParameterError) {
    set([(try tree.check(identifier, value), value)])
  }

  /// Sets several parameters, all or none of them.
  ///
  /// - Throws: ``ParameterError``, and nothing has changed.
  public func set(_ values: [String: Float]) throws(ParameterError) {
    set(try tree.check(values))
  }

  private func set(_ values: [(index: Int, value: Float)]) {
    for (index, value) in values {
      memory[index].setPending(memory[index].parameter.tame(value))
    }
    // An exchange, for after a mere store by another thread this one's values need not be seen with it.
    _ = news.pointee.exchange(1, ordering: .releasing)
  }
}

/// One parameter's value, as both sides see it.
struct ParameterCell: ~Copyable {
  let parameter: ParameterRange
  /// The bits of the value at the end of the last cycle.
  private let published: Atomic<UInt32>
  /// The bits of a value that was set, and a mark above them; 0: none.
  private let pending: Atomic<UInt64>
  // All below belongs to the render thread.
  var value: Float
  /// The ramp: where it goes, from where, how long it is, how much of it is over.
  var target: Float
  var start: Float
  var length = 0
  var done = 0

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

  /// If there is none, ``publishedValue`` is what the last one was, or later.
  var pendingValue: Float? {
    let bits = pending.load(ordering: .acquiring)
    return bits == 0 ? nil : Float(bitPattern: UInt32(truncatingIfNeeded: bits))
  }

  func setPending(_ value: Float) {
    pending.store(Self.mark | UInt64(value.bitPattern), ordering: .relaxed)
  }

  /// - Returns: 0 if there is none, else the value's bits and the mark.
  @_noLocks func takePending() -> UInt64 {
    // Only looked at first, for an exchange costs more.
    let bits = pending.load(ordering: .relaxed)
    if bits == 0 { return 0 }
    // Seen by others before it is taken, so that they do not find the old value once more. One that is set
    // meanwhile stays for the next cycle.
    published.store(UInt32(truncatingIfNeeded: bits), ordering: .relaxed)
    _ = pending.compareExchange(expected: bits, desired: 0, ordering: .releasing)
    return bits
  }

  @_noLocks func publish() { published.store(value.bitPattern, ordering: .relaxed) }
}

/// What the render thread has to know of a parameter.
struct ParameterRange: BitwiseCopyable {
  let minimum: Float
  let maximum: Float
  let isStepped: Bool

  init(_ parameter: Parameter) {
    minimum = parameter.minimum
    maximum = parameter.maximum
    isStepped = parameter.isStepped
  }

  /// The nearest value that it can have.
  @_noLocks func tame(_ value: Float) -> Float {
    // In this order it makes the minimum of NaN.
    let value = value > minimum ? (value < maximum ? value : maximum) : minimum
    return isStepped ? Float(Int32(value < 0 ? value - 0.5 : value + 0.5)) : value
  }
}
