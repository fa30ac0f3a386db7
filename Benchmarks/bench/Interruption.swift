import Glibc
import Synchronization

/// Lets the bench clean up after Ctrl-C, so that no audio is left in `/dev/shm`.
enum Interruption {
  private static let wasInterrupted = Atomic<Bool>(false)

  static func watch() {
    // Child processes inherit ignored signals but not handlers, so they still end immediately.
    for signal in [SIGINT, SIGTERM, SIGHUP] {
      Glibc.signal(signal) { _ in Interruption.wasInterrupted.store(true, ordering: .relaxed) }
    }
  }

  static func check() throws {
    if wasInterrupted.load(ordering: .relaxed) { throw BenchError("interrupted") }
  }
}
