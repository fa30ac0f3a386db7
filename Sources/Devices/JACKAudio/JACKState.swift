import CJACK
import LiveAudio
import RenderCore
import Threads

/// The state of JACK's process callback.
///
/// Created and freed by ``JACKPlayback``, on another thread.
struct JACKState {
  let client: OpaquePointer
  let ports: JACKPorts
  let format: Format
  let renderer: Renderer
  let flags: DeviceEventFlags
  /// Pointers to JACK's two output buffers, which change with each cycle.
  let channels: UnsafeMutablePointer<UnsafeMutablePointer<Float>>
  /// Pointers to JACK's two input buffers.
  let inputChannels: UnsafeMutablePointer<UnsafePointer<Float>>
  var midiInput: JACKMIDIInput
  private var jackTransport: JACKTransport
  /// Frames from the start of a cycle until its first frame is heard.
  let latency: SharedWord
  let gate: CallbackGate
  /// The position of the cycle's first frame.
  var position: Int64 = 0
  /// JACK's frame counter minus ``position``, modulo 2³².
  var frameOffset: UInt32
  var hostTime = Int64.min

  /// - Parameter origin: The frame of JACK's counter that is position 0.
  init(
    client: OpaquePointer, ports: JACKPorts, format: Format, renderer: Renderer,
    flags: DeviceEventFlags, channels: UnsafeMutablePointer<UnsafeMutablePointer<Float>>,
    inputChannels: UnsafeMutablePointer<UnsafePointer<Float>>, midiInput: JACKMIDIInput,
    latency: SharedWord, gate: CallbackGate, origin: UInt32
  ) {
    self.client = client
    self.ports = ports
    self.format = format
    self.renderer = renderer
    self.flags = flags
    self.channels = channels
    self.inputChannels = inputChannels
    self.midiInput = midiInput
    self.latency = latency
    self.gate = gate
    frameOffset = origin
    jackTransport = JACKTransport(sampleRate: format.sampleRate)
  }

  @_noLocks mutating func process(_ frames: Int) {
    guard let left = cjack_buffer(ports.left, UInt32(frames)),
      let right = cjack_buffer(ports.right, UInt32(frames))
    else { return }
    channels[0] = left
    channels[1] = right
    if frames > format.maximumFrames { flags.reportLoss(JACKLoss.longerCycle.rawValue) }
    guard frames <= format.maximumFrames, gate.acquire() else {
      left.update(repeating: 0, count: frames)
      right.update(repeating: 0, count: frames)
      return
    }
    RealtimeSection.begin()
    updateTime()
    var transport = transport(frames)
    withUnsafePointer(to: &transport) { transport in
      var cycle = RenderCycle(
        midi: midi(frames), position: position, hostTime: hostTime,
        transport: UnsafeBufferPointer(start: transport, count: 1), input: input(frames),
        output: UnsafePointer(channels))
      _ = renderer.render(&cycle)
    }
    position += Int64(frames)
    RealtimeSection.end()
    gate.release()
  }

  @_noLocks private mutating func midi(_ frames: Int) -> MIDICycle {
    guard let port = ports.midi, let buffer = cjack_buffer(port, UInt32(frames)) else {
      return MIDICycle(frames: frames)
    }
    return midiInput.read(buffer, frames: frames)
  }

  @_noLocks private func input(_ frames: Int) -> AudioInput {
    guard let inputs = ports.inputs, let left = cjack_buffer(inputs.left, UInt32(frames)),
      let right = cjack_buffer(inputs.right, UInt32(frames))
    else { return AudioInput() }
    inputChannels[0] = UnsafePointer(left)
    inputChannels[1] = UnsafePointer(right)
    return AudioInput(UnsafePointer(inputChannels), count: 2)
  }

  /// The transport at the beginning of the cycle.
  @_noLocks private mutating func transport(_ frames: Int) -> TransportPoint {
    var position = jack_position_t()
    let isRolling = cjack_transport(client, &position)
    return TransportPoint(
      offset: 0, jackTransport.next(position, isRolling: isRolling, frames: frames))
  }

  /// Advances ``position`` by missed frames, and sets ``hostTime`` to the time at which the cycle's first frame is
  /// heard.
  @_noLocks private mutating func updateTime() {
    var now = MonotonicClock.now
    var first: UInt32 = 0
    var elapsed: Int64 = 0
    // JACK's clock may differ from CLOCK_MONOTONIC, so only the elapsed time is used.
    guard cjack_cycle(client, &first, &elapsed) else { return }
    var attempts = 0
    // If this thread was interrupted between the readings of the two clocks, they are read again.
    while MonotonicClock.now - now > 20_000, attempts < 3 {
      now = MonotonicClock.now
      guard cjack_cycle(client, &first, &elapsed) else { return }
      attempts += 1
    }
    // Frames missed since the last cycle; a counter that was reset gives a huge value and is ignored.
    let missed = first &- (frameOffset &+ UInt32(truncatingIfNeeded: position))
    if missed < 1 << 31 { position += Int64(missed) }
    frameOffset = first &- UInt32(truncatingIfNeeded: position)
    let delay = Int64(latency.value) * 1_000_000_000 / Int64(format.sampleRate)
    hostTime = max(hostTime, now - elapsed * 1000 + delay)
  }
}

/// The reason why JACK dropped the client.
enum JACKLoss: Int32 {
  case server = 1
  case tooSlow
  case longerCycle
  case otherRate

  var sentence: String {
    switch self {
    case .server: "the JACK server has ended or disconnected this client"
    case .tooSlow:
      "JACK disconnected this client because it was too slow: choose a longer period in JACK"
    case .longerCycle: "JACK's cycles have become longer; reconnecting"
    case .otherRate: "JACK's sample rate has changed; reconnecting"
    }
  }
}
