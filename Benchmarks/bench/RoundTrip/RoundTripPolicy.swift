import Glibc

extension RoundTripSetting.Policy {
  /// The name that tables show.
  var title: String { self == .fifo ? "SCHED_FIFO" : "default" }

  /// Runs `body` with this scheduling of the calling thread and of the programs that it starts.
  ///
  /// - Returns: `nil` if this process may not use the scheduling; it has printed so to standard error.
  func with<Result>(_ body: () throws -> Result) rethrows -> Result? {
    if self == .other { return try body() }
    var parameters = sched_param(sched_priority: Int32(EchoOptions.fifoPriority))
    guard sched_setscheduler(0, SCHED_FIFO, &parameters) == 0 else {
      printError("skipped: cycles under SCHED_FIFO, which is not permitted")
      return nil
    }
    defer {
      parameters.sched_priority = 0
      sched_setscheduler(0, SCHED_OTHER, &parameters)
    }
    return try body()
  }
}
