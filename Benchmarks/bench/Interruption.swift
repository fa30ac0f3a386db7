import Glibc
import Synchronization

/// Lets Ctrl-C end the bench in an orderly way, so that no audio is left lying in memory.
enum Interruption {
  private static let wasAsked = Atomic<Bool>(false)

  static func watch() {
    // A handler, unlike an ignored signal, is not inherited: programs that run now end at once.
    for signal in [SIGINT, SIGTERM, SIGHUP] {
      Glibc.signal(signal) { _ in Interruption.wasAsked.store(true, ordering: .relaxed) }
    }
  }

  static func check() throws {
    if wasAsked.load(ordering: .relaxed) { throw BenchError("interrupted") }
  }
}
