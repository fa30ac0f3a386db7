import Glibc
import LiveAudio
import Synchronization
import Threads

/// Reopens a lost sound device as soon as it is available, on a thread of its own.
final class DeviceSearch: Sendable {
  private let state = Mutex(State())

  private struct State {
    var device: (any SoundDevice)?
    var isCancelled = false
  }

  /// The seconds between two attempts.
  private static let pause = 0.5

  /// Starts the search.
  ///
  /// - Parameters:
  ///   - pause: The seconds before the first attempt.
  ///   - open: Opens the device. Called on the search thread.
  init(
    after pause: Double,
    _ open: @escaping @Sendable () throws(SoundDeviceError) -> any SoundDevice
  ) throws(SystemError) {
    try SystemThread(name: "portative-seek") { self.run(pause, open) }.detach()
  }

  /// Removes and returns the device once it is open, which ends the search.
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
