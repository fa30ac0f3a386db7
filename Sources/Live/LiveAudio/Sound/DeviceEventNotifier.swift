package import LocalSystem
import Synchronization

/// Reports the events of a sound device on its own thread, which sleeps while there are none.
///
/// xruns and refused messages are reported at most once a second, with their number. After a loss nothing more is reported.
///
/// Threads: any. Realtime: no.
package final class DeviceEventNotifier: Sendable {
  package let flags = DeviceEventFlags()
  private let report: Mutex<(@Sendable (SoundDeviceEvent) -> Void)?>
  private let describeLoss: @Sendable (_ code: Int32) -> String

  /// The interval between reports of xruns and of refused messages in nanoseconds.
  private static let interval: Int64 = 1_000_000_000

  /// - Parameters:
  ///   - describeLoss: Returns the reason for a code of ``DeviceEventFlags/reportLoss(_:)``, for the user.
  ///   - report: Called for each event by the notifier's thread, and by ``send(_:)`` on the calling thread.
  package init(
    _ describeLoss: @escaping @Sendable (_ code: Int32) -> String,
    report: @escaping @Sendable (SoundDeviceEvent) -> Void
  ) {
    self.report = Mutex(report)
    self.describeLoss = describeLoss
  }

  /// No thread may use the flags any more.
  deinit { flags.destroy() }

  /// Starts the thread. It keeps this object alive until ``stop()`` is called or the device is lost.
  package func start() throws(SystemError) {
    try SystemThread(name: "portative-event") { self.run() }.detach()
  }

  /// Stops reporting. A report in progress is not waited for, so this may be called from within a report.
  package func stop() {
    report.withLock { $0 = nil }
    flags.signal.wake()
  }

  /// Reports an event from a thread that is not realtime.
  package func send(_ event: SoundDeviceEvent) {
    // The closure is called outside the lock, because it may call ``stop()``.
    report.withLock { $0 }?(event)
  }

  private func run() {
    var (xruns, refused) = (UInt32(0), UInt32(0))
    var resumptions: UInt32 = 0
    // The xruns right after a resumption are part of it: a longer period would not help.
    var (seen, ignored) = (UInt32(0), UInt32(0))
    var ignoresUntil: Int64 = 0
    var buffer = 0
    var quietUntil: Int64 = 0
    while report.withLock({ $0 != nil }) {
      let received = flags.signal.value
      let count = flags.xruns.value
      if MonotonicClock.now < ignoresUntil { ignored &+= count &- seen }
      seen = count
      if flags.resumptions.value != resumptions {
        resumptions = flags.resumptions.value
        ignoresUntil = MonotonicClock.now + Self.interval
        send(.resumed)
      }
      if flags.lengthenedBuffer != buffer {
        buffer = flags.lengthenedBuffer
        send(.lengthened(frames: buffer))
      }
      let newXruns = count &- ignored &- xruns
      let isLost = flags.lossCode != 0
      let newRefused = flags.refusedMIDI.value &- refused
      if newXruns > 0 || newRefused > 0, isLost || MonotonicClock.now >= quietUntil {
        (xruns, refused) = (xruns &+ newXruns, refused &+ newRefused)
        quietUntil = MonotonicClock.now + Self.interval
        if newXruns > 0 { send(.xruns(Int(newXruns))) }
        if newRefused > 0 { send(.refusedMIDI(Int(newRefused))) }
      }
      if isLost {
        send(.lost(reason: describeLoss(flags.lossCode)))
        return
      }
      let hasUnreported = count &- ignored != xruns || flags.refusedMIDI.value != refused
      flags.signal.wait(after: received, until: hasUnreported ? quietUntil : nil)
    }
  }
}
