import CJACK
import Glibc
import LiveAudio
import LocalSystem
import RenderCore

/// The callbacks registered with JACK, and their state.
///
/// `@unchecked Sendable`: only JACK's thread uses the render state; the shared words are atomic.
final class JACKPlayback: @unchecked Sendable {
  private let client: JACKClient
  private let reporter: DeviceEventNotifier
  private let format: Format
  private let state: UnsafeMutablePointer<JACKState>
  private let renderMemory = RenderMemory()
  private let words = SharedWords(count: 4)
  private let freewheelState: JACKFreewheelState
  private let memory: JACKConnectionMemory?
  private let lead: TransportLead?
  /// Kept for JACK's thread, which may use it longer than the device exists.
  private let timeline: JACKTimeline

  private var gate: CallbackGate { CallbackGate(words[0]) }
  private var latency: SharedWord { words[1] }
  /// Not 0 while other programs may hold notes of the renderer.
  private var isHolding: SharedWord { words[2] }
  /// The number of connections to the MIDI input that have ended.
  private var inputEnds: SharedWord { words[3] }

  init(
    _ client: JACKClient, _ format: Format, _ timeline: JACKTimeline,
    _ freewheelState: JACKFreewheelState,
    _ memory: JACKConnectionMemory?, _ lead: TransportLead?,
    _ renderer: Renderer, _ reporter: DeviceEventNotifier
  ) {
    self.client = client
    self.timeline = timeline
    self.freewheelState = freewheelState
    self.memory = memory
    self.lead = lead
    self.reporter = reporter
    self.format = format
    state = renderMemory.make(
      JACKState(
        client: client.handle, ports: client.ports, format: format, renderer: renderer,
        flags: reporter.flags, buffers: renderMemory.reserve(client.ports.outputCount),
        channels: renderMemory.reserve(client.ports.outputCount),
        inputChannels: renderMemory.reserve(2), midiInput: JACKMIDIInput(in: renderMemory),
        midiOutput: JACKMIDIOutput(
          client.ports.midiOutput, holding: words[2], reporter.flags, in: renderMemory),
        latency: words[1], gate: CallbackGate(words[0]), inputEnds: words[3],
        origin: timeline.origin, timebase: lead.map { JACKTimebase($0) }))
  }

  deinit {
    renderMemory.release()
    words.destroy()
  }

  var currentLatency: Int { Int(latency.value) }

  /// Registers the callbacks and activates the client. ``stop()`` must be called afterwards, even on failure.
  ///
  /// - Parameter connects: Whether to connect the ports to the physical inputs.
  func start(connects: Bool) throws(JACKFailure) {
    let jack = client.jack
    let own = Unmanaged.passUnretained(self).toOpaque()
    _ = jack.set_process_callback(client.handle, process, state)
    _ = jack.set_sample_rate_callback(client.handle, sampleRateCallback, own)
    _ = jack.set_freewheel_callback(client.handle, freewheelCallback, own)
    _ = jack.set_latency_callback(client.handle, latencyCallback, own)
    _ = jack.set_xrun_callback(client.handle, xrunCallback, own)
    _ = jack.set_port_connect_callback(client.handle, connectionCallback, own)
    client.onLoss { [reporter] in reporter.flags.reportLoss(JACKLoss.server.rawValue) }
    jack.on_info_shutdown(client.handle, shutdownCallback, own)
    // PipeWire 0.3.65 accepts the other callback and never calls it. JACK may call both.
    jack.on_shutdown(client.handle, plainShutdownCallback, own)
    if lead != nil { _ = jack.set_sync_callback(client.handle, jackSyncCallback, state) }
    try client.activate(connects: connects, memory: memory, keeping: self)
    if let lead { becomeMaster(lead) }
  }

  /// Gives JACK the bars and the tempo of the song, unless another client does.
  private func becomeMaster(_ lead: TransportLead) {
    lead.setTimebase(.song)
    let isMaster = client.perform(within: 1) { [self] in
      withExtendedLifetime(self) {
        client.jack.set_timebase_callback(
          client.handle, lead.takesOver ? 0 : 1, jackTimebaseCallback, state) == 0
      }
    }
    if isMaster != true { lead.setTimebase(.other) }
  }

  /// Stops the renderer calls and closes the client. This object stays alive until JACK has released it.
  func stop() {
    reporter.stop()
    gate.close()
    awaitRelease()
    client.close(within: 0.4, keeping: self)
  }

  /// Waits until JACK's thread has ended the notes that other programs hold, for at most 0.1 s.
  private func awaitRelease() {
    let limit = MonotonicClock.now + 100_000_000
    while isHolding.value != 0, MonotonicClock.now < limit { usleep(1000) }
  }

  fileprivate func reportLoss(_ loss: JACKLoss) { reporter.flags.reportLoss(loss.rawValue) }

  fileprivate func handleShutdown(_ callback: JACKFarewell.Callback, _ loss: JACKLoss) {
    JACKClientGroup.shared.noteEnd()
    client.farewell.receive(callback)
    reportLoss(loss)
  }

  fileprivate func handleSampleRate(_ rate: Int) {
    if rate != format.sampleRate { reportLoss(.otherRate) }
  }

  fileprivate func updateLatency() {
    var range = jack_latency_range_t()
    client.jack.port_get_latency_range(client.ports.outputs[0], JackPlaybackLatency, &range)
    latency.store(range.max)
  }

  fileprivate func setFreewheeling(_ isFreewheeling: Bool) {
    freewheelState.word.store(isFreewheeling ? 1 : 0)
  }

  fileprivate func handleConnection(
    _ first: jack_port_id_t, _ second: jack_port_id_t, isConnected: Bool
  ) {
    let (first, second) = (client.name(of: first), client.name(of: second))
    // A port of a client that has ended may have no name any more.
    if !isConnected, let input = client.ports.midi.flatMap({ client.jack.port_name($0) }) {
      let name = String(cString: input)
      if first == name || second == name { inputEnds.increase() }
    }
    if let first, let second { memory?.handle(first, second, isConnected: isConnected) }
  }

  fileprivate func countXrun() { reporter.flags.countXrun() }

  fileprivate static func at(_ context: UnsafeMutableRawPointer?) -> JACKPlayback? {
    context.map { Unmanaged<JACKPlayback>.fromOpaque($0).takeUnretainedValue() }
  }
}

@_noLocks
private func process(_ frames: UInt32, _ context: UnsafeMutableRawPointer?) -> CInt {
  if let context {
    context.assumingMemoryBound(to: JACKState.self).pointee.process(Int(frames))
  }
  return 0
}

private func sampleRateCallback(_ rate: UInt32, _ context: UnsafeMutableRawPointer?) -> CInt {
  JACKPlayback.at(context)?.handleSampleRate(Int(rate))
  return 0
}

private func freewheelCallback(_ isStarting: CInt, _ context: UnsafeMutableRawPointer?) {
  JACKPlayback.at(context)?.setFreewheeling(isStarting != 0)
}

private func latencyCallback(
  _ mode: jack_latency_callback_mode_t, _ context: UnsafeMutableRawPointer?
) {
  if mode == JackPlaybackLatency { JACKPlayback.at(context)?.updateLatency() }
}

private func xrunCallback(_ context: UnsafeMutableRawPointer?) -> CInt {
  JACKPlayback.at(context)?.countXrun()
  return 0
}

private func connectionCallback(
  _ first: jack_port_id_t, _ second: jack_port_id_t, _ isConnected: CInt,
  _ context: UnsafeMutableRawPointer?
) {
  JACKPlayback.at(context)?.handleConnection(first, second, isConnected: isConnected != 0)
}

// JACK may end the thread of these two at any instruction as soon as the loss is known, so they only set a word and wake.

private func shutdownCallback(
  _ status: jack_status_t, _ reason: UnsafePointer<CChar>?, _ context: UnsafeMutableRawPointer?
) {
  let isSlow = status.rawValue & JackClientZombie.rawValue != 0
  JACKPlayback.at(context)?.handleShutdown(.first, isSlow ? .tooSlow : .server)
}

private func plainShutdownCallback(_ context: UnsafeMutableRawPointer?) {
  JACKPlayback.at(context)?.handleShutdown(.second, .server)
}
