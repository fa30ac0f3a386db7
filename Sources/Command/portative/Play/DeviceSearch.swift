import Glibc
import LiveAudio
import Synchronization
import Threads

/// Opens a sound device again that was lost, on a thread of its own, as soon as it is there.
final class DeviceSearch: Sendable {
  private let state = Mutex(State())

  private struct State {
    var device: (any SoundDevice)?
    var isCancelled = false
  }

  /// Seconds between two attempts.
  private static let pause = 0.5

  /// Begins.
  ///
  /// - Parameters:
  ///   - pause: Seconds before the first attempt.
  ///   - open: Called on the thread.
  init(
    after pause: Double,
    _ open: @escaping @Sendable () throws(SoundDeviceError) -> any SoundDevice
  ) throws(SystemError) {
    try SystemThread(name: "portative-seek") { self.run(pause, open) }.detach()
  }

  /// The device, once it is open; then it is over.
  func take() -> (any SoundDevice)? { state.withLock { $0.device.take() } }

  func cancel() {
    let device = state.withLock { state in
      state.isCancelled = true
      return state.device.take()
    }
    device?.stop()
  }

  private var isCancelled: Bool { state.withLock { $0.isCancelled } }

  private func run(
    _ first: Double, _ open: () throws(SoundDeviceError) -> any SoundDevice
  ) {
    wait(first)
    while !isCancelled {
      if let device = try? open() {
        let isWanted = state.withLock { state in
          if !state.isCancelled { state.device = device }
          return !state.isCancelled
        }
        if !isWanted { device.stop() }
        return
      }
      wait(Self.pause)
    }
  }

  private func wait(_ seconds: Double) {
    let end = MonotonicClock.now + Int64(seconds * 1e9)
    while MonotonicClock.now < end, !isCancelled { usleep(20_000) }
  }
}
