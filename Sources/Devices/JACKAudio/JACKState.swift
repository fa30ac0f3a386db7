import CJACK
import LiveAudio
import LocalSystem
import RenderCore

/// The state of JACK's process callback.
///
/// Created and freed by ``JACKPlayback``, on another thread.
struct JACKState {
  private let client: OpaquePointer
  private let ports: JACKPorts
  private let format: Format
  private let renderer: Renderer
  private let flags: DeviceEventFlags
  /// Pointers to JACK's output buffers, which change with each cycle.
  private let buffers: UnsafeMutablePointer<UnsafeMutablePointer<Float>>
  /// Pointers into ``buffers``: where the present part of the cycle begins.
  let channels: UnsafeMutablePointer<UnsafeMutablePointer<Float>>
  /// Pointers to JACK's two input buffers.
  let inputChannels: UnsafeMutablePointer<UnsafePointer<Float>>
  var midiInput: JACKMIDIInput
  var midiOutput: JACKMIDIOutput
  private var jackTransport: JACKTransport
  /// Leads JACK's transport; `nil` to follow it.
  var timebase: JACKTimebase?
  /// Frames from the start of a cycle until its first frame is heard.
  private let latency: SharedWord
  private let gate: CallbackGate
  /// The number of connections to the MIDI input that have ended. JACK mixes the events of all connections, so all that
  /// they hold ends with each.
  private let inputEnds: SharedWord
  private var handledInputEnds: UInt32 = 0
  /// The position of the cycle's first frame.
  private var position: Int64 = 0
  private let origin: JACKOrigin
  /// JACK's frame counter minus ``position``, modulo 2³²; `nil` before the first cycle.
  private var frameOffset: UInt32?
  private var hostTime = Int64.min

  init(
    client: OpaquePointer, ports: JACKPorts, format: Format, renderer: Renderer,
    flags: DeviceEventFlags, buffers: UnsafeMutablePointer<UnsafeMutablePointer<Float>>,
    channels: UnsafeMutablePointer<UnsafeMutablePointer<Float>>,
    inputChannels: UnsafeMutablePointer<UnsafePointer<Float>>, midiInput: JACKMIDIInput,
    midiOutput: JACKMIDIOutput, latency: SharedWord, gate: CallbackGate, inputEnds: SharedWord,
    origin: JACKOrigin,
    timebase: JACKTimebase?
  ) {
    self.client = client
    self.ports = ports
    self.format = format
    self.renderer = renderer
    self.flags = flags
    self.buffers = buffers
    self.channels = channels
    self.inputChannels = inputChannels
    self.midiInput = midiInput
    self.midiOutput = midiOutput
    self.latency = latency
    self.gate = gate
    self.inputEnds = inputEnds
    self.origin = origin
    self.timebase = timebase
    jackTransport = JACKTransport(sampleRate: format.sampleRate)
  }

  /// Renders a cycle. One that is longer than the renderer's longest is rendered in parts: PipeWire changes the length
  /// whenever programs come and go, and notes go on.
  @_noLocks mutating func process(_ frames: Int) {
    for index in 0..<ports.outputCount {
      guard let buffer = cjack_buffer(ports.outputs[index], UInt32(frames)) else { return }
      buffers[index] = buffer
    }
    midiOutput.begin(frames: frames)
    guard gate.acquire() else {
      midiOutput.end()
      for index in 0..<ports.outputCount { buffers[index].update(repeating: 0, count: frames) }
      return
    }
    RealtimeSection.begin()
    updateTime()
    let transport = transport(frames)
    readMIDI(frames)
    let inputs = ports.inputs(frames: frames)
    var begin = 0
    while begin < frames {
      let part = begin..<min(begin + format.maximumFrames, frames)
      for index in 0..<ports.outputCount { channels[index] = buffers[index] + begin }
      render(
        part, begin == 0 ? transport : transport.after(frames: begin, sampleRate: sampleRate),
        input(inputs, from: begin))
      begin = part.upperBound
    }
    position += Int64(frames)
    timebase?.endCycle(client, isRolling: transport.isPlaying)
    RealtimeSection.end()
    gate.release()
  }

  /// Renders a part of the cycle to ``channels``.
  @_noLocks private mutating func render(
    _ part: Range<Int>, _ transport: Transport, _ input: AudioInput
  ) {
    var point = TransportPoint(offset: 0, transport)
    withUnsafePointer(to: &point) { point in
      var cycle = RenderCycle(
        midi: midiInput.take(part), position: position + Int64(part.lowerBound),
        hostTime: hostTime + Int64(part.lowerBound) * 1_000_000_000 / Int64(format.sampleRate),
        transport: UnsafeBufferPointer(start: point, count: 1), input: input,
        output: UnsafePointer(channels), midiOutput: midiOutput.begin(part))
      let ends = inputEnds.value
      cycle.hasSourceEnded = ends != handledInputEnds
      handledInputEnds = ends
      _ = renderer.render(&cycle)
      midiOutput.send(part)
    }
  }

  @_noLocks private mutating func readMIDI(_ frames: Int) {
    guard let port = ports.midi, let buffer = cjack_buffer(port, UInt32(frames)) else { return }
    midiInput.read(buffer, frames: frames)
  }

  @_noLocks private func input(
    _ inputs: JACKPorts.Buffers?, from begin: Int
  ) -> AudioInput {
    guard let inputs else { return AudioInput() }
    inputChannels[0] = UnsafePointer(inputs.left + begin)
    inputChannels[1] = UnsafePointer(inputs.right + begin)
    return AudioInput(UnsafePointer(inputChannels), count: 2)
  }

  private var sampleRate: Double { @_noLocks get { Double(format.sampleRate) } }

  /// The transport at the beginning of the cycle.
  @_noLocks private mutating func transport(_ frames: Int) -> Transport {
    var position = jack_position_t()
    let isRolling = cjack_transport(client, &position)
    return jackTransport.next(position, isRolling: isRolling, frames: frames)
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
    let offset = frameOffset ?? origin.frame(in: first)
    let missed = first &- (offset &+ UInt32(truncatingIfNeeded: position))
    if missed < 1 << 31 { position += Int64(missed) }
    frameOffset = first &- UInt32(truncatingIfNeeded: position)
    let delay = Int64(latency.value) * 1_000_000_000 / Int64(format.sampleRate)
    hostTime = max(hostTime, now - elapsed * 1000 + delay)
  }
}

/// Follows the transport of a JACK server from cycle to cycle.
///
/// Most timebase masters give the position in whole ticks, of which one has 12 frames at 120 beats per minute and 1920
/// ticks per beat; see ``RenderCore/Transport/continuing(_:within:)``.
///
/// Realtime: yes.
struct JACKTransport: BitwiseCopyable {
  private let sampleRate: Double
  /// Whether the timebase master states quarter notes.
  private var usesQuarters = false
  /// The last position, whether it rolled, and the length of its cycle.
  private var last = (position: jack_position_t(), isRolling: false, frames: 0)
  /// The transport expected at the beginning of the next cycle.
  private var expected = Transport(provides: .nothing)

  init(sampleRate: Int) { self.sampleRate = Double(sampleRate) }

  /// Returns the transport at the beginning of a cycle.
  ///
  /// - Parameters:
  ///   - position: The position that JACK gives.
  ///   - isRolling: Whether JACK's transport rolls.
  ///   - frames: The length of the cycle.
  @_noLocks mutating func next(
    _ position: jack_position_t, isRolling: Bool, frames: Int
  ) -> Transport {
    if !position.isBeginning, usesQuarters != position.isOfArdour {
      usesQuarters.toggle()
      // What the last position meant.
      expected = Transport(last.position, isRolling: last.isRolling, usesQuarters: usesQuarters)
        .after(frames: last.frames, sampleRate: sampleRate)
    }
    last = (position, isRolling, frames)
    var transport = Transport(position, isRolling: isRolling, usesQuarters: usesQuarters)
    if position.valid.rawValue & JackTickDouble.rawValue == 0 {
      let tick = (usesQuarters ? 1 : transport.meter.beatLength) / position.ticks_per_beat
      // Ardour gives the nearest tick, and others the one before.
      transport = transport.continuing(expected, within: tick, isNearest: usesQuarters)
    }
    expected = transport.after(frames: frames, sampleRate: sampleRate)
    return transport
  }
}

/// Whether a JACK server requests cycles without a deadline.
///
/// Threads: any.
final class JACKFreewheelState: Sendable {
  private let words = SharedWords(count: 1)

  deinit { words.destroy() }

  /// Not 0 while it does. Valid as long as this object exists.
  var word: SharedWord { words[0] }
}
