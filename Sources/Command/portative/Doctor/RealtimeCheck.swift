import Synchronization
import Threads

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

  private static func tried() -> Result<Int, RealtimePriorityError> {
    let outcome = Outcome()
    do {
      let thread = try SystemThread(name: "portative-probe") {
        outcome.value.withLock { value in
          do throws(RealtimePriorityError) {
            value = .success(try RealtimePriority.request(priority))
          } catch {
            value = .failure(error)
          }
        }
      }
      thread.join()
    } catch {
      return .failure(RealtimePriorityError(limit: 0, answer: "cannot start a thread: \(error)"))
    }
    return outcome.value.withLock { $0 }
  }

  private final class Outcome: Sendable {
    let value = Mutex(Result<Int, RealtimePriorityError>.success(0))
  }
}
