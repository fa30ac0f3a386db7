/// Memory and other resources that a render thread uses. Their owner keeps this object and releases them together.
///
/// Realtime: no. Threads: one at a time.
///
/// `@unchecked Sendable`: what it has made belongs to the owner's render thread; the list is not changed meanwhile.
package final class RenderMemory: @unchecked Sendable {
  private var releases: [() -> Void] = []

  package init() {}

  deinit { release() }

  /// Makes `count` copies of a value, which touches every page: the render thread then has no page faults.
  @inlinable
  package func make<Value>(_ count: Int, of value: Value) -> UnsafeMutablePointer<Value> {
    let memory = UnsafeMutablePointer<Value>.allocate(capacity: count)
    memory.initialize(repeating: value, count: count)
    onRelease { memory.deinitialize(count: count).deallocate() }
    return memory
  }

  /// Makes `count` values, given their indices.
  @inlinable
  package func makeEach<Value: ~Copyable>(
    _ count: Int, _ value: (Int) -> Value
  ) -> UnsafeMutablePointer<Value> {
    let memory = UnsafeMutablePointer<Value>.allocate(capacity: count)
    for index in 0..<count { (memory + index).initialize(to: value(index)) }
    onRelease { memory.deinitialize(count: count).deallocate() }
    return memory
  }

  @inlinable
  package func make<Value: ~Copyable>(_ value: consuming Value) -> UnsafeMutablePointer<Value> {
    let memory = UnsafeMutablePointer<Value>.allocate(capacity: 1)
    memory.initialize(to: value)
    onRelease { memory.deinitialize(count: 1).deallocate() }
    return memory
  }

  /// Makes memory for `count` values, which are not initialized: untouched pages take no memory.
  @inlinable
  package func reserve<Value>(_ count: Int) -> UnsafeMutablePointer<Value> {
    let memory = UnsafeMutablePointer<Value>.allocate(capacity: count)
    onRelease { memory.deallocate() }
    return memory
  }

  /// Keeps an object until everything that is made later is released.
  package func keep(_ object: AnyObject) { onRelease { withExtendedLifetime(object) {} } }

  /// Calls `action` on release.
  package func onRelease(_ action: @escaping () -> Void) { releases.append(action) }

  /// Releases everything, in the reverse order of its creation.
  package func release() {
    while let release = releases.popLast() { release() }
  }
}
