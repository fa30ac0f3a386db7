import LocalSystem

/// Checks whether render threads may have realtime priority, by requesting it on a thread of its own.
enum RealtimeCheck {
  /// The priority that servers request, less one.
  private static let priority = 69

  static func findings(
    _ attempt: () -> Result<Int, RealtimePriorityError> = { tried() }
  ) -> [Finding] {
    switch attempt() {
    case .success(let priority):
      return [.good("realtime", "permitted, at least up to priority \(priority)")]
    case .failure(let refusal):
      return [.warning("realtime", refusal.finding, remedy: RealtimePriorityError.remedy)]
    }
  }

  /// Requests the priority on another thread, because this one must keep its own.
  private static func tried() -> Result<Int, RealtimePriorityError> {
    do throws(Failure) {
      return try interruptibly {
        Result { () throws(RealtimePriorityError) in try RealtimePriority.request(priority) }
      }
    } catch {
      return .failure(RealtimePriorityError(limit: 0, answer: error.message))
    }
  }
}
