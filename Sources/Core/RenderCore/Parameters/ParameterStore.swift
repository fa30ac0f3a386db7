import Synchronization

/// The values of a unit's parameters, shared between the render thread and all other threads.
///
/// The render thread uses ``values``. All other threads read and set values here. A value that is set takes effect at
/// the beginning of the next cycle; if a parameter is set several times before that, the last value counts.
///
/// Realtime: no. Threads: any, concurrently.
///
/// `@unchecked Sendable`: threads exchange values through atomics in the memory; the rest of each cell belongs to the
/// render thread.
public final class ParameterStore: @unchecked Sendable {
  public let tree: ParameterTree
  /// The render thread's side. Valid as long as the store exists.
  public let values: ParameterValues
  private let memory: UnsafeMutablePointer<ParameterCell>
  /// Not 0 if a value was set since the render thread last looked.
  private let hasPending: UnsafeMutablePointer<Atomic<UInt32>>

  /// Makes a store in which all parameters have their defaults.
  public init(_ tree: ParameterTree) {
    self.tree = tree
    let count = tree.parameters.count
    memory = .allocate(capacity: max(1, count))
    for (index, parameter) in tree.parameters.enumerated() {
      (memory + index).initialize(to: ParameterCell(parameter))
    }
    hasPending = .allocate(capacity: 1)
    hasPending.initialize(to: Atomic(0))
    values = ParameterValues(memory, count: count, hasPending: hasPending)
  }

  deinit {
    memory.deallocate()
    hasPending.deallocate()
  }

  /// Returns the value of a parameter at the end of the last cycle, or the value that was set since then.
  public func value(_ index: Int) -> Float {
    precondition(tree.parameters.indices.contains(index), "there is no such parameter")
    return memory[index].pendingValue ?? memory[index].publishedValue
  }

  /// The values of all parameters, by identifier.
  public var all: [String: Float] {
    var all: [String: Float] = [:]
    for (index, parameter) in tree.parameters.enumerated() {
      all[parameter.identifier] = value(index)
    }
    return all
  }

  /// Sets a parameter.
  ///
  /// - Throws: ``ParameterError``; nothing has changed then.
  public func set(_ identifier: String, to value: Float) throws(ParameterError) {
    set([(try tree.check(identifier, value), value)])
  }

  /// Sets several parameters, by identifier.
  ///
  /// - Throws: ``ParameterError`` if any of them cannot be set; nothing has changed then.
  public func set(_ values: [String: Float]) throws(ParameterError) {
    set(try tree.check(values))
  }

  private func set(_ values: [(index: Int, value: Float)]) {
    for (index, value) in values {
      memory[index].setPending(memory[index].parameter.clamp(value))
    }
    // An exchange continues the release sequence of another thread's earlier exchange. A plain store would end it, and
    // the render thread might not see the values of that thread.
    _ = hasPending.pointee.exchange(1, ordering: .releasing)
  }
}
