import CFluidSynth
import Glibc
import Synchronization

/// Finds out whether FluidSynth has run out of memory: it says so in its log only, and fails as it does for a damaged
/// file.
enum MemoryShortage {
  private static let isNoted = Atomic<Bool>(false)

  /// Does something, while the library's errors are listened to. One thread at a time.
  ///
  /// - Returns: What `work` gives, and whether memory was short meanwhile.
  static func watch<Value>(_ work: () -> Value) -> (Value, isShort: Bool) {
    isNoted.store(false, ordering: .relaxed)
    let levels = [FLUID_PANIC, FLUID_ERR].map { Int32($0.rawValue) }
    for level in levels { fluid_set_log_function(level, noteShortage, nil) }
    let value = work()
    for level in levels { fluid_set_log_function(level, nil, nil) }
    return (value, isNoted.load(ordering: .relaxed))
  }

  fileprivate static func note() { isNoted.store(true, ordering: .relaxed) }
}

@c private func noteShortage(
  _ level: Int32, _ message: UnsafePointer<CChar>?, _ context: UnsafeMutableRawPointer?
) {
  if let message, strstr(message, "memory") != nil { MemoryShortage.note() }
}
