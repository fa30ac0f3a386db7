import Synchronization
package import Threads

/// Tells what happens at a sound device, on a thread of its own, which sleeps while nothing does.
///
/// xruns are told at most once a second, and counted meanwhile. After a loss nothing more is told.
///
/// Threads: any. Realtime: no.
package final class DeviceEventNotifier: Sendable {
  package let news: DeviceEventFlags
  private nonisolated(unsafe) let words: UnsafeMutablePointer<UInt32>
  private let tell: Mutex<(@Sendable (SoundDeviceEvent) -> Void)?>
  private let sentence: @Sendable (_ cause: Int32) -> String

  private static let pause: Int64 = 1_000_000_000

  /// - Parameters:
  ///   - sentence: What a cause that ``SoundDeviceNews/lose(_:)`` was given means, for people.
  ///   - tell: Called one at a time.
  package init(
    _ sentence: @escaping @Sendable (_ cause: Int32) -> String,
    tell: @escaping @Sendable (SoundDeviceEvent) -> Void
  ) {
    words = .allocate(capacity: 4)
    words.initialize(repeating: 0, count: 4)
    news = DeviceEventFlags(
      xruns: SharedWord(at: words), resumptions: SharedWord(at: words + 1),
      buffer: SharedWord(at: words + 2), loss: SharedWord(at: words + 3), bell: DeferredWorkSignal()
    )
    self.tell = Mutex(tell)
    self.sentence = sentence
  }

  /// Nobody may have the news any more.
  deinit {
    news.bell.destroy()
    words.deallocate()
  }

  /// Starts the thread, which keeps the teller alive until ``stop()`` or a loss.
  package func start() throws(SystemError) {
    try SystemThread(name: "portative-tell") { self.run() }.detach()
  }

  /// Tells nothing more. It may be telling just then, also that which leads to this call; that ends by
  /// itself.
  package func stop() {
    tell.withLock { $0 = nil }
    news.bell.ring()
  }

  /// Tells what the device knows on a thread that is not realtime.
  package func say(_ event: SoundDeviceEvent) {
    // Not called under the lock, for it may call back.
    tell.withLock { $0 }?(event)
  }

  private func run() {
    var xruns: UInt32 = 0
    var resumptions: UInt32 = 0
    var buffer: UInt32 = 0
    var quietUntil: Int64 = 0
    while tell.withLock({ $0 != nil }) {
      let heard = news.bell.value
      if news.resumptions.value != resumptions {
        resumptions = news.resumptions.value
        say(.resumed)
      }
      if news.buffer.value != buffer {
        buffer = news.buffer.value
        say(.lengthened(frames: Int(buffer)))
      }
      let fresh = news.xruns.value &- xruns
      let isOver = news.cause != 0
      if fresh > 0, isOver || MonotonicClock.now >= quietUntil {
        xruns &+= fresh
        quietUntil = MonotonicClock.now + Self.pause
        say(.xruns(Int(fresh)))
      }
      if isOver {
        say(.lost(reason: sentence(news.cause)))
        return
      }
      let isHeldBack = news.xruns.value != xruns
      news.bell.wait(after: heard, until: isHeldBack ? quietUntil : nil)
    }
  }
}
