import LocalSystem

/// The threads of an instrument's helpers.
///
/// `@unchecked Sendable`: the threads use only what the helpers point to, which is made for that.
final class HelperThreads: @unchecked Sendable {
  private let helpers: Helpers
  private var threads: [SystemThread] = []

  /// Enough for FluidSynth, and small enough for many ports.
  private static let stackSize = 512 << 10

  /// Starts a thread for each helper.
  ///
  /// - Parameter helpers: What they point to must stay valid until ``stop()`` has returned.
  /// - Throws: ``InstrumentError/cannotStartThread(reason:)``. No thread is left then.
  init(_ helpers: Helpers) throws(InstrumentError) {
    self.helpers = helpers
    for index in 0..<helpers.count {
      do throws(SystemError) {
        threads.append(
          try SystemThread(name: "portative-lanes", stackSize: Self.stackSize) { [self] in
            self.helpers.run(index)
          })
      } catch {
        stop()
        throw .cannotStartThread(reason: error.description)
      }
    }
  }

  /// Ends the threads, and waits for them. Nothing may render any more.
  func stop() {
    helpers.stopping.store(1)
    for index in 0..<threads.count {
      let word = helpers.word(of: index)
      word.store(HelperCall.pending)
      word.wake()
      threads[index].join()
    }
    threads = []
  }
}
