import CJACK
import LiveAudio
import RenderCore
import Threads

/// What JACK calls, and what it works on.
///
/// `@unchecked Sendable`: the state belongs to JACK's thread; the words are atomic.
final class JACKPlayback: @unchecked Sendable {
  private let client: JACKClient
  private let reporter: DeviceEventNotifier
  private let gate: CallbackGate
  private let latency: SharedWord
  private let format: Format
  private let state: UnsafeMutablePointer<JACKState>
  private let words: UnsafeMutablePointer<UInt32>

  init(
    _ client: JACKClient, _ format: Format, _ renderer: Renderer, _ reporter: DeviceEventNotifier
  ) {
    self.client = client
    self.reporter = reporter
    self.format = format
    words = .allocate(capacity: 2)
    words.initialize(repeating: 0, count: 2)
    gate = CallbackGate(SharedWord(at: words))
    latency = SharedWord(at: words + 1)
    let channels = UnsafeMutablePointer<UnsafeMutablePointer<Float>>.allocate(capacity: 2)
    state = .allocate(capacity: 1)
    state.initialize(
      to: JACKState(
        client: client.handle, left: client.left, right: client.right, format: format,
        renderer: renderer, news: reporter.news, channels: channels, latency: latency, gate: gate))
  }

  deinit {
    state.pointee.channels.deallocate()
    state.deallocate()
    words.deallocate()
  }

  var currentLatency: Int { Int(latency.value) }

  /// Lets JACK begin. ``stop()`` has to follow in any case.
  func start() throws(JACKFailure) {
    let jack = client.jack
    let own = Unmanaged.passUnretained(self).toOpaque()
    _ = jack.set_process_callback(client.handle, process, state)
    _ = jack.set_buffer_size_callback(client.handle, tookBufferSize, own)
    _ = jack.set_sample_rate_callback(client.handle, tookSampleRate, own)
    _ = jack.set_latency_callback(client.handle, tookLatency, own)
    _ = jack.set_xrun_callback(client.handle, hadXrun, own)
    jack.on_info_shutdown(client.handle, wasShutDown, own)
    if jack.activate(client.handle) != 0 { throw .notActive }
  }

  /// Lets the renderer go, and leaves the server. What JACK still uses is kept until it has let us go.
  func stop() {
    reporter.stop()
    gate.shut()
    client.close(within: 0.4, keeping: self)
  }

  fileprivate func lose(_ loss: JACKLoss) { reporter.news.lose(loss.rawValue) }

  fileprivate func lengthen(_ frames: Int) {
    if frames > format.maximumFrames { lose(.longerCycle) }
  }

  fileprivate func changeRate(_ rate: Int) {
    if rate != format.sampleRate { lose(.otherRate) }
  }

  fileprivate func findLatency() {
    var range = jack_latency_range_t()
    client.jack.port_get_latency_range(client.left, JackPlaybackLatency, &range)
    latency.store(range.max)
  }

  fileprivate func countXrun() { reporter.news.countXrun() }

  fileprivate static func at(_ context: UnsafeMutableRawPointer?) -> JACKPlayback? {
    context.map { Unmanaged<JACKPlayback>.fromOpaque($0).takeUnretainedValue() }
  }
}

@c @_noLocks
private func process(_ frames: UInt32, _ context: UnsafeMutableRawPointer?) -> CInt {
  if let context {
    context.assumingMemoryBound(to: JACKState.self).pointee.process(Int(frames))
  }
  return 0
}

@c private func tookBufferSize(_ frames: UInt32, _ context: UnsafeMutableRawPointer?) -> CInt {
  JACKPlayback.at(context)?.lengthen(Int(frames))
  return 0
}

@c private func tookSampleRate(_ rate: UInt32, _ context: UnsafeMutableRawPointer?) -> CInt {
  JACKPlayback.at(context)?.changeRate(Int(rate))
  return 0
}

@c private func tookLatency(
  _ mode: jack_latency_callback_mode_t, _ context: UnsafeMutableRawPointer?
) {
  if mode == JackPlaybackLatency { JACKPlayback.at(context)?.findLatency() }
}

@c private func hadXrun(_ context: UnsafeMutableRawPointer?) -> CInt {
  JACKPlayback.at(context)?.countXrun()
  return 0
}

@c private func wasShutDown(
  _ status: jack_status_t, _ reason: UnsafePointer<CChar>?, _ context: UnsafeMutableRawPointer?
) {
  let isSlow = status.rawValue & JackClientZombie.rawValue != 0
  JACKPlayback.at(context)?.lose(isSlow ? .tooSlow : .server)
}
