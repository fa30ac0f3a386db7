import CCLAP
import LocalSystem
import PluginCore
import RenderCore

/// What an active instance's audio thread uses.
///
/// Realtime: yes, except where it is made and destroyed.
struct CLAPRenderState: BitwiseCopyable {
  private var renderer: PluginRenderer
  private let values: ParameterValueExchange
  private let signals: CLAPSignals
  private let inputs: Int
  private let outputs: Int
  /// The notes and controls that the node has sent to the host, which end with the connection.
  private let sent: UnsafeMutablePointer<SourceState>
  /// Space for a message of the node.
  private let bytes: UnsafeMutablePointer<UInt8>
  private static var longestMessage: Int { @_noLocks get { 65_536 } }

  /// - Parameter memory: Allocates the buffers.
  init(
    _ renderer: PluginRenderer, _ values: ParameterValueExchange, _ signals: CLAPSignals,
    inputs: Int, outputs: Int, _ memory: RenderMemory
  ) {
    self.renderer = renderer
    self.values = values
    self.signals = signals
    self.inputs = inputs
    self.outputs = outputs
    sent = memory.make(1, of: SourceState())
    bytes = memory.make(Self.longestMessage, of: 0)
  }
}

extension CLAPRenderState {
  /// Renders a cycle of the host.
  @_noLocks mutating func process(_ process: clap_process) -> clap_process_status {
    let frames = Int(process.frames_count)
    var position: Transport?
    if let transport = process.transport {
      position = Transport(transport.pointee, sampleRate: renderer.rate)
    }
    let mustReset = signals.mustReset.exchange(1, for: 0)
    if mustReset, signals.isOffline.value != 0 { renderer.replaceUnit() }
    let isNew = renderer.begin(
      PluginRenderer.Cycle(
        frames: frames, isFreewheeling: signals.isOffline.value != 0,
        isEnabled: signals.isBypassed.value == 0, isPlaying: position?.isPlaying ?? false))
    let output = process.out_events
    if isNew { endSent(at: 0, output) }
    if mustReset, signals.isOffline.value == 0 { silence() }
    exchangeValues(isNew: isNew)
    if let position { renderer.schedule(position, at: 0) }
    var next: UInt32 = 0
    let count = cclap_event_count(process.in_events)
    var begin = 0
    while begin < frames {
      let length = min(renderer.maximumFrames, frames - begin)
      let isLast = begin + length == frames
      if begin > 0 { renderer.scheduleTransport() }
      while next < count {
        if let event = cclap_event(process.in_events, next) {
          let frame = Int(event.pointee.time)
          if !isLast, frame >= begin + length { break }
          // An event beyond the cycle acts on its last frame.
          handle(event, at: max(0, min(frame - begin, length - 1)))
        }
        next += 1
      }
      setBuffers(process, begin)
      if renderer.render(length) {
        send(renderer.receivedEvents, from: begin, output)
      } else {
        endSent(at: begin, output)
      }
      begin += length
    }
    reportValues(output)
    renderer.end()
    return clap_process_status(CLAP_PROCESS_CONTINUE)
  }

  /// Ends all sound with the next cycle. Without a deadline, it has a new unit, so that nothing remains.
  @_noLocks func reset() { signals.mustReset.store(1) }

  /// Takes the host's values without rendering. Threads: the audio thread.
  @_noLocks func flush(
    _ input: UnsafePointer<clap_input_events>?, _ output: UnsafePointer<clap_output_events>?
  ) {
    values.receive(input, signals)
    reportValues(output)
  }

  /// Sets the pointers to the frames of a part of a cycle. A port that the host does not offer is silent or unread.
  @_noLocks private func setBuffers(_ process: clap_process, _ begin: Int) {
    for channel in 0..<inputs {
      let memory = channelMemory(process.audio_inputs, process.audio_inputs_count, channel)
      renderer.setInput(channel, memory.map { UnsafePointer($0 + begin) })
    }
    for channel in 0..<outputs {
      let memory = channelMemory(
        UnsafePointer(process.audio_outputs), process.audio_outputs_count, channel)
      renderer.setOutput(channel, memory.map { $0 + begin })
    }
    for port in 0..<Int(process.audio_outputs_count) {
      process.audio_outputs[port].constant_mask = 0
    }
  }

  /// Returns the memory of a channel, counted through all ports.
  @_noLocks private func channelMemory(
    _ ports: UnsafePointer<clap_audio_buffer>?, _ count: UInt32, _ channel: Int
  ) -> UnsafeMutablePointer<Float>? {
    guard let ports else { return nil }
    var first = 0
    for port in 0..<Int(count) {
      let channels = Int(ports[port].channel_count)
      if channel < first + channels { return ports[port].data32?[channel - first] }
      first += channels
    }
    return nil
  }
}

// What the host sends.
extension CLAPRenderState {
  /// Sends the values that the host has set while there was no cycle or no unit, and learns those of a new unit.
  @_noLocks private func exchangeValues(isNew: Bool) {
    guard renderer.isConnected, isNew || values.hasWanted else { return }
    values.beginTaking()
    for index in 0..<renderer.signals.count where renderer.hasControl(index) {
      let known = renderer.signals[control: index]
      guard let value = values.takeWanted(index, all: isNew) else {
        if isNew { values.learn(index, known) }
        continue
      }
      if value == known { continue }
      if !renderer.schedule(control: index, to: value, over: 0, at: 0) {
        // The next cycle sends the others.
        values.want(index, value)
        return
      }
    }
  }

  @_noLocks private mutating func handle(
    _ event: UnsafePointer<clap_event_header>, at offset: Int
  ) {
    let header = event.pointee
    guard header.space_id == CLAP_CORE_EVENT_SPACE_ID else { return }
    let raw = UnsafeRawPointer(event)
    let size = Int(header.size)
    switch Int(header.type) {
    case Int(CLAP_EVENT_NOTE_ON), Int(CLAP_EVENT_NOTE_OFF), Int(CLAP_EVENT_NOTE_CHOKE):
      guard size >= MemoryLayout<clap_event_note>.size else { return }
      handle(raw.load(as: clap_event_note.self), at: offset)
    case Int(CLAP_EVENT_NOTE_EXPRESSION):
      guard size >= MemoryLayout<clap_event_note_expression>.size else { return }
      handle(raw.load(as: clap_event_note_expression.self), at: offset)
    case Int(CLAP_EVENT_PARAM_VALUE):
      guard event.isParameterValue else { return }
      set(event.parameterValue, at: offset)
    case Int(CLAP_EVENT_TRANSPORT):
      guard size >= MemoryLayout<clap_event_transport>.size else { return }
      let transport = raw.load(as: clap_event_transport.self)
      renderer.schedule(Transport(transport, sampleRate: renderer.rate), at: offset)
    case Int(CLAP_EVENT_MIDI):
      guard size >= MemoryLayout<clap_event_midi>.size else { return }
      let data = raw.load(as: clap_event_midi.self).data
      send(data.0, data.1, data.2, at: offset)
    case Int(CLAP_EVENT_MIDI_SYSEX):
      guard size >= MemoryLayout<clap_event_midi_sysex>.size else { return }
      let message = raw.load(as: clap_event_midi_sysex.self)
      guard let buffer = message.buffer else { return }
      let bytes = UnsafeBufferPointer(start: buffer, count: Int(message.size))
      if let message = MIDIMessage(bytes) { renderer.schedule(message, at: offset) }
    default: break
    }
  }

  @_noLocks private mutating func set(_ change: clap_event_param_value, at offset: Int) {
    if change.param_id == values.bypass {
      signals.setBypass(change.value)
      return
    }
    guard let index = values.index(of: change.param_id),
      let value = values.allowed(index, change.value)
    else { return }
    if renderer.hasControl(index),
      renderer.schedule(control: index, to: value, over: 0, at: offset)
    {
      values.set(index, value)
    } else {
      values.want(index, value)
    }
  }

  /// Plays a note of CLAP's dialect. A release for any key or channel ends all of them.
  @_noLocks private mutating func handle(_ note: clap_event_note, at offset: Int) {
    let type = Int(note.header.type)
    if note.port_index > 0 || note.channel > 15 || note.key > 127 { return }
    if type == Int(CLAP_EVENT_NOTE_ON) {
      guard note.key >= 0 else { return }
      let velocity = note.velocity.isFinite ? note.velocity : 1
      send(
        0x90 | UInt8(max(0, note.channel)), UInt8(note.key),
        // Velocity 0 begins a note in CLAP, and ends one in MIDI.
        max(1, sevenBits(velocity)), at: offset)
      return
    }
    let channels = note.channel < 0 ? 0..<16 : Int(note.channel)..<Int(note.channel) + 1
    for channel in channels {
      if note.key >= 0 {
        send(0x80 | UInt8(channel), UInt8(note.key), 64, at: offset)
      } else {
        let controller: UInt8 = type == Int(CLAP_EVENT_NOTE_CHOKE) ? 120 : 123
        send(0xB0 | UInt8(channel), controller, 0, at: offset)
      }
    }
  }

  /// Sends the pressure of a key; FluidSynth has no other expression of single notes.
  @_noLocks private mutating func handle(
    _ expression: clap_event_note_expression, at offset: Int
  ) {
    guard Int(expression.expression_id) == Int(CLAP_NOTE_EXPRESSION_PRESSURE),
      expression.port_index <= 0, (0...15).contains(expression.channel),
      (0...127).contains(expression.key), expression.value.isFinite
    else { return }
    send(
      0xA0 | UInt8(expression.channel), UInt8(expression.key),
      sevenBits(expression.value), at: offset)
  }

  /// Returns the nearest value of MIDI for a number from 0 to 1.
  @_noLocks private func sevenBits(_ number: Double) -> UInt8 {
    UInt8(max(0, min(127, number * 127 + 0.5)))
  }

  @_noLocks private mutating func send(
    _ status: UInt8, _ first: UInt8, _ second: UInt8, at offset: Int
  ) {
    bytes[0] = status
    bytes[1] = first
    bytes[2] = second
    let count =
      status < 0xF0
      ? ChannelMessage.dataCount(ofStatus: status)
      : SystemMessage.dataCount(ofStatus: status) ?? 0
    guard status >= 0x80,
      let message = MIDIMessage(UnsafeBufferPointer(start: bytes, count: 1 + count))
    else { return }
    renderer.schedule(message, at: offset)
  }

  /// Ends all sound.
  @_noLocks private mutating func silence() {
    for channel in 0..<16 {
      send(0xB0 | UInt8(channel), 120, 0, at: 0)
      send(0xB0 | UInt8(channel), 123, 0, at: 0)
    }
  }
}

// What the node sends.
extension CLAPRenderState {
  @_noLocks private func send(
    _ cycle: MIDICycle, from begin: Int, _ output: UnsafePointer<clap_output_events>?
  ) {
    for event in cycle.events {
      let frame = begin + Int(event.offset)
      switch event.content {
      case .channel(let message):
        if push(message, at: frame, output) { sent.pointee.follow(message) }
      case .sysEx:
        let length = cycle.byteCount(of: event.content)
        if length > Self.longestMessage { continue }
        cycle.write(event.content, to: bytes)
        _ = cclap_push_sysex(output, UInt32(frame), bytes, UInt32(length))
      case .system: break
      }
    }
    if cycle.events.count > 0 { renderer.signals.reportChange() }
  }

  @_noLocks private func push(
    _ message: ChannelMessage, at frame: Int, _ output: UnsafePointer<clap_output_events>?
  ) -> Bool {
    cclap_push_midi(output, UInt32(frame), message.status, message.data1, message.data2)
  }

  /// Ends what the node has sent, as far as there is room.
  @_noLocks private func endSent(at frame: Int, _ output: UnsafePointer<clap_output_events>?) {
    sent.pointee.end { push($0, at: frame, output) }
  }

  /// Tells the host the values that it has not set.
  @_noLocks private func reportValues(_ output: UnsafePointer<clap_output_events>?) {
    guard values.hasNews else { return }
    values.beginReporting()
    for index in 0..<renderer.signals.count {
      guard let value = values.takeNews(index) else { continue }
      if !cclap_push_value(output, values.identifier(at: index), Double(value)) {
        // The next cycle reports the others.
        values.announce(index, value)
        return
      }
    }
  }
}

extension UnsafePointer<clap_event_header> {
  var isParameterValue: Bool {
    @_noLocks get {
      pointee.space_id == CLAP_CORE_EVENT_SPACE_ID
        && Int(pointee.type) == Int(CLAP_EVENT_PARAM_VALUE)
        && Int(pointee.size) >= MemoryLayout<clap_event_param_value>.size
    }
  }

  /// - Precondition: ``isParameterValue``.
  var parameterValue: clap_event_param_value {
    @_noLocks get { UnsafeRawPointer(self).load(as: clap_event_param_value.self) }
  }
}
