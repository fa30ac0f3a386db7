import CALSA
import Glibc
import LiveAudio
import LocalSystem
import RenderCore

/// A device's playback thread, and its state.
///
/// `@unchecked Sendable`: only the thread uses the render state, and it retains this object while it runs; the shared
/// words are atomic; all else belongs to the thread that calls ``start()`` and ``stop(within:)``.
final class Playback: @unchecked Sendable {
  private let pcm: PCM
  private let reporter: DeviceEventNotifier
  private let state: UnsafeMutablePointer<PlaybackState>
  private let memory = RenderMemory()
  private let words = SharedWords(count: 2)
  /// Ends the thread.
  private let shutdownSignal: ShutdownSignal
  private var thread: SystemThread?

  private var gate: CallbackGate { CallbackGate(words[0]) }
  /// Not 0 once the thread has ended.
  private var ended: SharedWord { words[1] }

  /// The realtime priority, just above that of the threads that wait for the device.
  static let priority = 70

  init(
    _ pcm: PCM, _ settings: PCMSettings, _ renderer: Renderer, _ reporter: DeviceEventNotifier
  ) throws {
    do {
      shutdownSignal = try ShutdownSignal()
      state = memory.make(
        try PlaybackState(
          pcm, settings, renderer, CallbackGate(words[0]), reporter.flags,
          shutdownSignal: shutdownSignal, in: memory))
    } catch {
      words.destroy()
      throw error
    }
    self.pcm = pcm
    self.reporter = reporter
  }

  deinit {
    memory.release()
    words.destroy()
  }

  /// Frames in the device's buffer after it was lengthened; 0 before.
  var lengthenedBuffer: Int { reporter.flags.lengthenedBuffer }

  func start() throws(SystemError) {
    thread = try SystemThread(name: "portative-sound") { self.run() }
  }

  /// Stops the renderer calls and ends the thread, which closes the device. If a driver or plugin hangs, its thread
  /// keeps this object and the device until it returns.
  ///
  /// - Parameter seconds: The longest time to wait for the thread.
  func stop(within seconds: Double = 0.4) {
    guard let thread else { return }
    self.thread = nil
    reporter.stop()
    shutdownSignal.wake()
    gate.close()
    let limit = MonotonicClock.now + Int64(seconds * 1e9)
    while ended.value == 0, MonotonicClock.now < limit { ended.wait(while: 0, until: limit) }
    if ended.value != 0 { thread.join() } else { thread.detach() }
  }

  private func run() {
    do throws(RealtimePriorityError) {
      try RealtimePriority.request(Self.priority)
    } catch {
      reporter.send(.notRealtime(error))
    }
    var cause: CInt = 0
    do throws(PCMFailure) {
      try state.pointee.run()
    } catch {
      cause = if case .failed(let code) = error { code } else { EIO }
    }
    pcm.close()
    if cause != 0 { reporter.flags.reportLoss(cause) }
    ended.store(1)
    ended.wake()
  }
}
