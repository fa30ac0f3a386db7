import CFluidSynth
import Glibc
import Synchronization

/// Detects whether FluidSynth has run out of memory. FluidSynth reports this only in its log; otherwise the
/// call fails as for a damaged file.
enum MemoryShortage {
  private static let wasReported = Atomic<Bool>(false)

  /// Performs `work` and watches the library's error log. Threads: one at a time.
  ///
  /// - Returns: The result of `work`, and whether memory was short.
  static func watch<Value>(_ work: () -> Value) -> (Value, isShort: Bool) {
    wasReported.store(false, ordering: .relaxed)
    let levels = [FLUID_PANIC, FLUID_ERR].map { Int32($0.rawValue) }
    for level in levels { fluid_set_log_function(level, reportShortage, nil) }
    let value = work()
    for level in levels { fluid_set_log_function(level, nil, nil) }
    return (value, wasReported.load(ordering: .relaxed))
  }

  fileprivate static func report() { wasReported.store(true, ordering: .relaxed) }
}

private func reportShortage(
  _ level: Int32, _ message: UnsafePointer<CChar>?, _ context: UnsafeMutableRawPointer?
) {
  if let message, strstr(message, "memory") != nil { MemoryShortage.report() }
}
