import CLV2
import CLilv
import CRender
import LV2Atoms
import LocalSystem
import RenderCore

/// The state of a plugin's render thread: the memory of its ports, and what has been passed to it.
///
/// A cycle is passed to the plugin with its events, in parts of ``longestPart`` frames, and up to each frame at which a control port
/// changes. A plugin that needs blocks of one length has these; control ports then change at the beginning of a block.
///
/// Realtime: yes, except for creation; the plugin has promised the same.
struct LV2RenderState: BitwiseCopyable {
  private let instance: UnsafeMutablePointer<LilvInstance>
  private let worker: UnsafeMutablePointer<LV2Worker>
  private let gate: CallbackGate
  private let latency: SharedWord
  private let types: AtomTypes
  private var values: ParameterValues
  private let slots: UnsafeMutablePointer<ControlSlot>
  /// The values of the control ports, by the index of the port.
  private let controls: UnsafeMutablePointer<Float>
  private let hostPorts: HostPorts
  private var audio: PluginAudio
  /// `nil` for a plugin that renders any number of frames.
  private var blocks: BlockAdapter?
  /// The port that receives events; `nil` for a plugin without one.
  private let events: EventSequence?
  private let takesMIDI, takesPosition: Bool
  private let outputs: UnsafeMutablePointer<EventSequence>
  private let outputCount: Int
  private let sampleRate: Double
  private let isOffline: Bool
  /// Whether messages that choose programs and banks are not passed.
  private let keepsPreset: Bool
  /// How the plugin computes.
  private let floatingPointMode: UInt64
  /// Writes the events of the part of the cycle that the plugin has not rendered yet.
  private var writer: AtomWriter
  /// The first frame of that part.
  private var begin = 0
  /// The last transport that the plugin has received.
  private var transport = Transport(provides: .nothing)
  /// The notes and controls that the plugin has received and that have not ended.
  private let held: UnsafeMutablePointer<SourceState>
  /// Whether the plugin has missed events, because another thread was using it.
  private var hasMissedEvents = false
  /// Whether a parameter is on its way to a value that its port does not have yet.
  private var isMoving = false

  /// The frames of the stream at which control ports follow ramps: its multiples.
  static var step: Int { @_noLocks get { 32 } }

  /// The most frames that a plugin renders at once. What plugins do once for each cycle, they do as often in longer cycles, so that
  /// a song that is rendered in these has the same sound.
  static var longestPart: Int { @_noLocks get { 1024 } }

  init(
    _ plugin: LV2Plugin, _ instance: UnsafeMutablePointer<LilvInstance>,
    _ worker: UnsafeMutablePointer<LV2Worker>, _ parameters: [LV2Control],
    _ values: ParameterValues, _ routing: ChannelRouting, _ format: Format, isOffline: Bool,
    keepsPreset: Bool, flushesDenormals: Bool, _ gate: CallbackGate, latency: SharedWord,
    in memory: RenderMemory
  ) {
    self.instance = instance
    self.worker = worker
    self.gate = gate
    self.latency = latency
    self.values = values
    self.isOffline = isOffline
    self.keepsPreset = keepsPreset
    floatingPointMode =
      flushesDenormals ? floating_point_flushing_mode() : floating_point_standard_mode()
    types = AtomTypes(URINumbers.number)
    sampleRate = Double(format.sampleRate)
    held = memory.make(SourceState())
    controls = memory.make(max(1, plugin.ports.count), of: 0)
    slots = memory.makeEach(parameters.count) { ControlSlot(parameters[$0], in: memory) }
    audio = PluginAudio(plugin, routing, format, in: memory)
    blocks = plugin.needsBlocks ? BlockAdapter(format, in: memory) : nil
    hostPorts = HostPorts(plugin)
    let eventPort = plugin.eventPort
    events = eventPort.map { EventSequence($0, in: memory) }
    takesMIDI = eventPort?.hasMIDI ?? false
    takesPosition = eventPort?.hasPosition ?? false
    let outputPorts = plugin.ports.filter { $0.kind == .atomOutput }
    outputCount = outputPorts.count
    outputs = memory.makeEach(outputCount) { EventSequence(outputPorts[$0], in: memory) }
    writer = AtomWriter(nil, types)
    for port in plugin.ports {
      switch port.kind {
      case .controlInput, .controlOutput:
        controls[port.index] = port.values.standard ?? port.values.minimum ?? 0
        clilv_connect(instance, UInt32(port.index), controls + port.index)
      case .atomInput:
        // What is for another port than the one for events has none.
        let sequence =
          port.index == eventPort?.index ? events : EventSequence(port, in: memory)
        _ = sequence?.begin(types)
        clilv_connect(instance, UInt32(port.index), sequence?.memory)
      case .atomOutput, .audioInput, .audioOutput: break
      case .voltage, .oldEvents, .unknown: clilv_connect(instance, UInt32(port.index), nil)
      }
    }
    for (index, port) in outputPorts.enumerated() {
      clilv_connect(instance, UInt32(port.index), outputs[index].memory)
    }
    hostPorts.set(isFreewheeling: isOffline, controls)
    if let events { writer = events.begin(types) }
    updateControls()
    publishLatency()
  }

  /// Writes messages that set properties. The plugin receives them when it renders next.
  mutating func set(_ values: [LV2PropertyValue]) {
    for value in values {
      var bytes = Array(value.text.utf8) + [0]
      bytes.withUnsafeMutableBytes {
        _ = writer.append(
          property: URINumbers.number(of: value.property.uri),
          value.property.isFile ? types.path : types.string, UnsafeRawBufferPointer($0), at: 0)
      }
    }
  }

  /// Renders silence while the plugin does not play, so that it knows its latency and loads its files.
  mutating func renderSilence(frames: Int) {
    audio.connectSilence(instance)
    for index in 0..<outputCount { outputs[index].makeRoom() }
    clilv_run(instance, UInt32(frames))
    worker.pointee.respond()
    for index in 0..<outputCount { outputs[index].clear() }
    if let events { writer = events.begin(types) }
    publishLatency()
  }

  @_noLocks private func publishLatency() {
    let adapted = blocks == nil ? 0 : BlockAdapter.length
    latency.store(
      min(hostPorts.latency(controls) + UInt32(adapted), UInt32(Format.longestLatency)))
  }

  /// The frame of the cycle at which what the plugin renders next begins; below 0 for a block that an earlier cycle has begun.
  private var origin: Int { @_noLocks get { begin - (blocks?.filled ?? 0) } }

  /// Renders a cycle.
  ///
  /// - Returns: Whether there is work for another thread.
  @_noLocks mutating func render(_ cycle: RenderCycle) -> Bool {
    guard gate.acquire() else {
      skip(cycle)
      return false
    }
    let mode = floating_point_mode()
    floating_point_set_mode(floatingPointMode)
    begin = 0
    if values.begin() || hasMissedEvents { updateControls() }
    hostPorts.set(isFreewheeling: isOffline || cycle.isFreewheeling, controls)
    if hasMissedEvents || cycle.hasSourceEnded { endNotes() }
    var steps = CycleSteps(cycle)
    var frame = 0
    while let step = steps.next() {
      switch step {
      case .transport(let transport): follow(transport, at: frame, cycle)
      case .parameter(let change):
        values.apply(change)
        if values.isRamping { isMoving = true }
        setControl(Int(change.index), at: frame, cycle)
      case .event(let event): pass(event, at: frame, cycle)
      case .frames(_, let end):
        move(from: frame, to: end, cycle)
        if blocks != nil { run(to: end, cycle) }
        frame = end
      }
    }
    run(to: cycle.frames, cycle)
    values.publish()
    publishLatency()
    floating_point_set_mode(mode)
    gate.release()
    return worker.pointee.hasRequests
  }

  /// Renders silence while another thread uses the plugin, and keeps the values of parameters.
  @_noLocks private mutating func skip(_ cycle: RenderCycle) {
    hasMissedEvents = true
    for index in 0..<cycle.parameters.count {
      var change = cycle.parameters[index]
      change.ramp = 0
      values.apply(change)
    }
    for channel in 0..<audio.routing.outputs {
      for frame in 0..<cycle.frames { cycle.output[channel][frame] = 0 }
    }
  }

  /// Lets the plugin render the frames up to `end`, or the blocks that these complete.
  @_noLocks private mutating func run(to end: Int, _ cycle: RenderCycle) {
    if blocks != nil { return runBlocks(to: end, cycle) }
    let frames = end - begin
    if frames <= 0 { return }
    render(cycle, from: begin, frames: frames)
    send(0..<frames, cycle)
    begin = end
  }

  @_noLocks private mutating func runBlocks(to end: Int, _ cycle: RenderCycle) {
    while begin < end, var blocks {
      let played = blocks.filled..<min(BlockAdapter.length, blocks.filled + end - begin)
      blocks.exchange(cycle, from: begin, frames: played.count)
      send(played, cycle)
      begin += played.count
      if blocks.room == 0 {
        render(blocks.next(cycle), from: 0, frames: BlockAdapter.length)
      }
      self.blocks = blocks
    }
  }

  /// Lets the plugin render.
  @_noLocks private mutating func render(_ cycle: RenderCycle, from begin: Int, frames: Int) {
    audio.connect(instance, cycle, from: begin, frames: frames)
    for index in 0..<outputCount { outputs[index].makeRoom() }
    clilv_run(instance, UInt32(frames))
    worker.pointee.respond()
    audio.finish(cycle, from: begin, frames: frames)
    if let events { writer = events.begin(types) }
  }

  /// Sends the MIDI that the plugin has written in some of the frames that it has rendered, which are played at ``begin``.
  @_noLocks private func send(_ frames: Range<Int>, _ cycle: RenderCycle) {
    let length = blocks == nil ? frames.upperBound : BlockAdapter.length
    for index in 0..<outputCount {
      var reader = AtomReader(outputs[index].memory, types)
      while let event = reader.removeFirst() {
        let frame = Int(max(0, min(event.frame, Int64(length - 1))))
        guard event.type == types.midi, event.body.count > 0, frames.contains(frame),
          let memory = event.body.baseAddress?.assumingMemoryBound(to: UInt8.self),
          let message = MIDIMessage(UnsafeBufferPointer(start: memory, count: event.body.count))
        else { continue }
        let offset = begin + frame - frames.lowerBound
        switch message {
        case .channel(let message): _ = cycle.midiOutput.write(message, at: offset)
        case .system(let message): _ = cycle.midiOutput.write(message, at: offset)
        case .sysEx(let bytes): _ = cycle.midiOutput.write(sysEx: bytes, at: offset)
        }
      }
    }
  }
}

// What the plugin receives.
extension LV2RenderState {
  @_noLocks private mutating func pass(
    _ event: MIDIEvent, at frame: Int, _ cycle: RenderCycle
  ) {
    guard takesMIDI else { return }
    if keepsPreset, case .channel(let message) = event.content, message.choosesPreset { return }
    if !writer.append(event.content, of: cycle.midi, at: frame - origin) {
      // The rest is passed after the plugin has read what there is room for.
      run(to: frame, cycle)
      guard writer.append(event.content, of: cycle.midi, at: frame - origin) else { return }
    }
    switch event.content {
    case .channel(let message): held.pointee.follow(message)
    case .sysEx(let start, let count):
      let bytes = cycle.midi.sysEx[Int(start)..<Int(start) + Int(count)]
      held.pointee.follow(sysEx: UnsafeBufferPointer(rebasing: bytes))
    case .system: break
    }
  }

  /// Ends all notes at the first frame.
  @_noLocks private mutating func endNotes() {
    hasMissedEvents = false
    var writer = writer
    let frame = begin - origin
    held.pointee.end { writer.append($0, at: frame) }
    self.writer = writer
  }

  /// Passes the position of the song if the plugin does not know it from the last one.
  @_noLocks private mutating func follow(
    _ new: Transport, at frame: Int, _ cycle: RenderCycle
  ) {
    if hostPorts.hasTime {
      run(to: frame, cycle)
      hostPorts.set(new, controls)
    }
    if !takesPosition || new.follows(from: transport) || writer.append(new, at: frame - origin) {
      transport = new
    }
  }

  /// Passes on to a later frame. Parameters may move until then.
  @_noLocks private mutating func move(
    from first: Int, to end: Int, _ cycle: RenderCycle
  ) {
    var frame = first
    while frame < end {
      let place = Int(truncatingIfNeeded: cycle.position &+ Int64(frame)) & (Self.step - 1)
      if isMoving, place == 0 {
        if blocks != nil { run(to: frame, cycle) }
        for index in 0..<values.count { setControl(index, at: frame, cycle) }
        isMoving = values.isRamping
      }
      var until = min(end, (frame / Self.longestPart + 1) * Self.longestPart)
      if isMoving { until = min(until, frame + Self.step - place) }
      values.advance(frames: until - frame)
      transport = transport.after(frames: until - frame, sampleRate: sampleRate)
      frame = until
      if frame % Self.longestPart == 0, frame < cycle.frames { beginPart(at: frame, cycle) }
    }
  }

  /// Lets the plugin render up to a frame, and passes the position of the song if it has ports for that.
  @_noLocks private mutating func beginPart(at frame: Int, _ cycle: RenderCycle) {
    run(to: frame, cycle)
    if hostPorts.hasTime { hostPorts.set(transport, controls) }
  }

  /// Sets a control to its parameter's value at a frame. The plugin renders up to that frame first, if the control is a port.
  @_noLocks private mutating func setControl(_ index: Int, at frame: Int, _ cycle: RenderCycle) {
    if index >= values.count { return }
    if slots[index].port >= 0, slots[index].native(values[index]) != slots[index].value {
      run(to: frame, cycle)
    }
    updateControl(index, at: frame)
  }

  /// Sets all controls before the first frame.
  @_noLocks private mutating func updateControls() {
    for index in 0..<values.count { updateControl(index, at: begin) }
  }

  /// Sets a control for what the plugin renders next. A property is set at its frame.
  @_noLocks private mutating func updateControl(_ index: Int, at frame: Int) {
    let native = slots[index].native(values[index])
    if native == slots[index].value { return }
    slots[index].value = native
    if slots[index].port >= 0 {
      controls[slots[index].port] = native
    } else {
      _ = slots[index].write(native, to: &writer, at: frame - origin, types)
    }
  }
}

extension Transport {
  /// Whether the transport is what another one has become, but for rounding.
  @_noLocks fileprivate func follows(from expected: Transport) -> Bool {
    provides.rawValue == expected.provides.rawValue && isPlaying == expected.isPlaying
      && tempo == expected.tempo
      && tempoSlope == expected.tempoSlope && meter.count == expected.meter.count
      && meter.unit == expected.meter.unit
      && (!provides.has(.songFrame) || songFrame == expected.songFrame)
      && (beat - expected.beat).magnitude < 1e-6
  }
}

extension ChannelMessage {
  /// Whether the message chooses a program or a bank.
  fileprivate var choosesPreset: Bool {
    @_noLocks get {
      kind == .programChange || kind == .controlChange && (data1 == 0 || data1 == 32)
    }
  }
}
