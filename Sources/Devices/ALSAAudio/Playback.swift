import CALSA
import Glibc
import LiveAudio
import RenderCore
import Threads

/// A device's thread, and what it works on.
///
/// `@unchecked Sendable`: the state belongs to the thread, which keeps this alive as long as it runs; the
/// words are atomic; the rest is that of whoever starts and stops it.
final class Playback: @unchecked Sendable {
  private let pcm: PCM
  private let reporter: DeviceEventNotifier
  private let state: UnsafeMutablePointer<PlaybackState>
  private let gate: CallbackGate
  /// Not zero when the thread has ended.
  private let ended: SharedWord
  private let words: UnsafeMutablePointer<UInt32>
  /// Ends the thread.
  private let bell: ShutdownSignal
  private var thread: SystemThread?

  /// A device is played to just above what has to wait for it.
  private static let priority = 70

  init(
    _ pcm: PCM, _ settings: PCMSettings, _ renderer: Renderer, _ reporter: DeviceEventNotifier
  ) throws(PCMFailure) {
    do throws(SystemError) {
      bell = try ShutdownSignal()
    } catch {
      throw .failed(code: error.code)
    }
    words = .allocate(capacity: 2)
    words.initialize(repeating: 0, count: 2)
    gate = CallbackGate(SharedWord(at: words))
    ended = SharedWord(at: words + 1)
    do throws(PCMFailure) {
      let prepared = try PlaybackState(pcm, settings, renderer, gate, reporter.news, bell: bell)
      state = .allocate(capacity: 1)
      state.initialize(to: prepared)
    } catch {
      words.deallocate()
      throw error
    }
    self.pcm = pcm
    self.reporter = reporter
  }

  deinit {
    state.pointee.destroy()
    state.deallocate()
    words.deallocate()
  }

  /// Frames of the device's buffer once it was made longer; 0 before.
  var lengthenedBuffer: Int { reporter.news.lengthenedBuffer }

  func start() throws(SystemError) {
    let context = Unmanaged.passRetained(self)
    do throws(SystemError) {
      thread = try SystemThread(
        name: "portative-sound", context: context.toOpaque(), runPlayback)
    } catch {
      context.release()
      throw error
    }
  }

  /// Lets the renderer go, and ends the thread, which lets go of the device. A driver or a plugin that hangs
  /// keeps the thread, its memory and the device until it does not.
  ///
  /// - Parameter seconds: How long to wait for it.
  func stop(within seconds: Double = 0.4) {
    guard let thread else { return }
    self.thread = nil
    reporter.stop()
    bell.ring()
    gate.shut()
    let limit = MonotonicClock.now + Int64(seconds * 1e9)
    while ended.value == 0, MonotonicClock.now < limit { ended.wait(while: 0, until: limit) }
    if ended.value != 0 { thread.join() } else { thread.detach() }
  }

  fileprivate func run() {
    do throws(RealtimeRefusal) {
      try RealtimePriority.take(Self.priority)
    } catch {
      reporter.say(.notRealtime(error))
    }
    var cause: CInt = 0
    do throws(PCMFailure) {
      try state.pointee.run()
    } catch {
      cause = if case .failed(let code) = error { code } else { EIO }
    }
    pcm.close()
    if cause != 0 { reporter.news.lose(cause) }
    ended.store(1)
    ended.wake()
  }
}

@c private func runPlayback(_ context: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
  guard let context else { return nil }
  let playback = Unmanaged<Playback>.fromOpaque(context).takeRetainedValue()
  withExtendedLifetime(playback) { playback.run() }
  return nil
}
