import CLV2
import LV2Atoms
import LocalSystem
import PluginBundles
import PluginCore
import RenderCore

/// The state of an instance's render thread.
///
/// Realtime: yes, except where it is made and destroyed.
struct PluginState: BitwiseCopyable {
  private var renderer: PluginRenderer
  private let properties: PropertySignals
  /// The host's memory for each LV2 port; `nil` for a port that is not connected.
  private let ports: UnsafeMutablePointer<UnsafeMutableRawPointer?>
  private let layout: Layout
  private let types: AtomTypes
  /// The number of ``PluginURI/show``.
  private let show: LV2_URID
  /// The notes and controls that the node has sent to the host, which end with the connection.
  private let sent: UnsafeMutablePointer<SourceState>
  /// For each control port, the number of the parameter's URI, which messages can set.
  private let parameterKeys: UnsafeMutablePointer<LV2_URID>
  /// For each control port, its value in the last cycle.
  private let portValues: UnsafeMutablePointer<Float>
  /// For each control port, the change of its value per frame in the last cycle.
  private let slopes: UnsafeMutablePointer<Float>
  /// The frames in which a control port that jumps reaches its new value: 10 ms.
  private let jumpLength: Int
  /// The length of the last cycle.
  private var lastFrames = 0
  private var tempoUnit: TempoUnit
  /// The quarter notes to which hosts round positions: Ardour's tick.
  private static var tick: Double { @_noLocks get { 1 / 1920 } }

  /// The order of the LV2 ports.
  private struct Layout: BitwiseCopyable {
    let count, firstInput, inputCount, firstOutput, outputCount, firstParameter: Int
    let events = PluginPorts.events
    let notifications = PluginPorts.notifications
    let freewheel = PluginPorts.freewheel
    let enabled = PluginPorts.enabled
    let latency = PluginPorts.latency

    init(_ ports: PluginPorts) {
      count = ports.count
      (firstInput, inputCount) = (ports.audioInputs.lowerBound, ports.audioInputs.count)
      (firstOutput, outputCount) = (ports.audioOutputs.lowerBound, ports.audioOutputs.count)
      firstParameter = ports.parameters.lowerBound
    }
  }

  /// - Parameters:
  ///   - layout: The order of the ports.
  ///   - parameterKeys: The number of the URI of each parameter.
  ///   - memory: Allocates the buffers.
  init(
    _ renderer: PluginRenderer, _ layout: PluginPorts, _ properties: PropertySignals,
    _ types: AtomTypes, show: LV2_URID, parameterKeys: [LV2_URID], _ memory: RenderMemory
  ) {
    self.renderer = renderer
    self.layout = Layout(layout)
    self.properties = properties
    self.types = types
    self.show = show
    ports = memory.make(layout.count, of: nil)
    sent = memory.make(1, of: SourceState())
    self.parameterKeys = memory.make(max(1, parameterKeys.count), of: 0)
    for (index, key) in parameterKeys.enumerated() { self.parameterKeys[index] = key }
    portValues = memory.make(max(1, layout.parameters.count), of: .nan)
    slopes = memory.make(max(1, layout.parameters.count), of: 0)
    jumpLength = Int(0.01 * renderer.rate)
    tempoUnit = TempoUnit(sampleRate: renderer.rate)
  }

  /// Connects an LV2 port to the host's memory.
  @_noLocks func connect(_ port: Int, to memory: UnsafeMutableRawPointer?) {
    if port >= 0, port < layout.count { ports[port] = memory }
  }

  /// The value of a control port.
  @_noLocks private func control(_ port: Int, _ otherwise: Float) -> Float {
    guard let memory = ports[port] else { return otherwise }
    let value = memory.assumingMemoryBound(to: Float.self).pointee
    return value.isFinite ? value : otherwise
  }
}

extension PluginState {
  /// Renders a cycle of the host: any number of frames, also none or more than the host has announced.
  @_noLocks mutating func run(frames: Int) {
    var writer = AtomWriter(ports[layout.notifications], types)
    reportProperty(&writer)
    var reader = AtomReader(ports[layout.events].map { UnsafeRawPointer($0) }, types)
    let isFreewheeling = control(layout.freewheel, 0) > 0
    let isNew = renderer.begin(
      PluginRenderer.Cycle(
        frames: frames, isFreewheeling: isFreewheeling,
        isEnabled: control(layout.enabled, 1) > 0,
        // Only a host without a deadline has the events read twice.
        isPlaying: isFreewheeling && isPlaying(reader)))
    if isNew { end(at: 0, &writer) }
    scheduleControls(frames, isNew: isNew)
    var begin = 0
    while begin < frames {
      let count = min(renderer.maximumFrames, frames - begin)
      setBuffers(begin)
      schedule(&reader, from: begin, count, isLast: begin + count == frames)
      if renderer.render(count) {
        let received = renderer.receivedEvents
        write(received, from: begin, &writer)
        if received.events.count > 0 { renderer.signals.reportChange() }
      } else {
        end(at: begin, &writer)
      }
      begin += count
    }
    if frames == 0 { schedule(&reader, from: 0, 0, isLast: true) }
    if let latency = ports[layout.latency]?.assumingMemoryBound(to: Float.self) {
      latency.pointee = Float(renderer.signals.latency.value)
    }
    renderer.end()
  }

  /// Writes the events that the node has sent, as far as there is room, and follows them.
  ///
  /// - Parameter begin: The frame of the cycle's first frame in the host's cycle.
  @_noLocks private func write(_ cycle: MIDICycle, from begin: Int, _ writer: inout AtomWriter) {
    for event in cycle.events {
      if !writer.append(event.content, of: cycle, at: begin + Int(event.offset)) { return }
      switch event.content {
      case .channel(let message): sent.pointee.follow(message)
      case .sysEx(let start, let count):
        let inner = cycle.sysEx[Int(start)..<Int(start) + Int(count)]
        sent.pointee.follow(sysEx: UnsafeBufferPointer(rebasing: inner))
      case .system: break
      }
    }
  }

  /// Ends what the node has sent, as far as there is room.
  @_noLocks private func end(at frame: Int, _ writer: inout AtomWriter) {
    sent.pointee.end { writer.append($0, at: frame) }
  }

  /// Sets the pointers to the frames of a part of a cycle.
  @_noLocks private func setBuffers(_ begin: Int) {
    for channel in 0..<layout.inputCount {
      let memory = ports[layout.firstInput + channel]?.assumingMemoryBound(to: Float.self)
      renderer.setInput(channel, memory.map { UnsafePointer($0 + begin) })
    }
    for channel in 0..<layout.outputCount {
      let memory = ports[layout.firstOutput + channel]?.assumingMemoryBound(to: Float.self)
      renderer.setOutput(channel, memory.map { $0 + begin })
    }
  }
}

// The host's events and control values.
extension PluginState {
  /// Whether the host says that the song plays on the first frame of the cycle.
  @_noLocks private func isPlaying(_ reader: AtomReader) -> Bool {
    var reader = reader
    while let event = reader.first, event.frame <= 0 {
      if let position = Transport(event, types) { return position.isPlaying }
      reader.removeFirst()
    }
    return false
  }

  /// Sends the control ports that have changed. Values out of the node's range are clamped; NaN is ignored.
  ///
  /// A host gives a port one value per cycle. A port that changes in each cycle is automated: it moves evenly through
  /// the whole cycle, so that a ramp has no steps. It is then as late as a cycle is long, because the host's next value
  /// is not known. Other changes take 10 ms, so that a jump is heard where it is: the first one, and one that is more
  /// than four times as steep as the one before.
  ///
  /// - Parameters:
  ///   - frames: The length of the host's cycle.
  ///   - isNew: Whether the unit is new, so that it begins with the values.
  @_noLocks private mutating func scheduleControls(_ frames: Int, isNew: Bool) {
    for index in 0..<renderer.signals.count where renderer.hasControl(index) {
      let known = renderer.signals[control: index]
      let value = control(layout.firstParameter + index, known)
      // A parameter that a message has set keeps its value until the port changes.
      let hasChanged = value != known && (isNew || value != portValues[index])
      let slope = hasChanged && lastFrames > 0 ? abs(value - known) / Float(lastFrames) : 0
      let length = isNew ? 0 : slope <= 4 * slopes[index] ? frames : min(frames, jumpLength)
      if hasChanged, !renderer.schedule(control: index, to: value, over: length, at: 0) { return }
      portValues[index] = value
      // A host that asks for no frames only tells the values.
      slopes[index] = frames > 0 && !isNew ? slope : 0
    }
    lastFrames = frames
  }

  /// Schedules the host's events of a cycle, and follows them.
  ///
  /// Events before the cycle act on its first frame, and events after the host's last cycle on its last frame.
  ///
  /// - Parameters:
  ///   - begin: The cycle's first frame in the host's cycle.
  ///   - frames: The number of frames.
  ///   - isLast: Whether this is the last part of the host's cycle.
  @_noLocks private mutating func schedule(
    _ reader: inout AtomReader, from begin: Int, _ frames: Int, isLast: Bool
  ) {
    renderer.scheduleTransport()
    while let event = reader.first {
      if !isLast, event.frame >= Int64(begin + frames) { break }
      let offset = max(
        0, min(Int(min(max(event.frame, 0), Int64(begin + frames))) - begin, frames - 1))
      if event.type == types.midi {
        schedule(event.body, at: offset)
      } else if let given = Transport(event, types) {
        let position = tempoUnit.resolve(given)
        renderer.schedule(position, at: offset, roundedTo: Self.tick)
      } else if let object = AtomObject(event, types) {
        if object.type == types.patchSet { setProperty(object, at: offset) }
        if object.type == show { renderer.signals.askForWindow() }
        if object.type == types.patchGet, properties.asksForAll.exchange(0, for: 1) {
          renderer.signals.wakeWorker()
        }
      }
      reader.removeFirst()
    }
  }

  /// Sets a parameter on its frame, or passes another property to the worker, unless the last one is still there.
  @_noLocks private func setProperty(_ object: AtomObject, at offset: Int) {
    guard let (key, value) = object.patch(types) else { return }
    if let number = value.number(types) {
      set(key, to: Float(number), at: offset)
      return
    }
    guard value.type == types.string || value.type == types.path, value.body.count > 0 else {
      return
    }
    let new = PropertyMailbox.Value(key: key, type: value.type, bytes: value.body)
    if properties.fromHost.put(new) { renderer.signals.wakeWorker() }
  }

  @_noLocks private func set(_ key: LV2_URID, to value: Float, at offset: Int) {
    if !value.isFinite { return }
    for index in 0..<renderer.signals.count
    where parameterKeys[index] == key && renderer.hasControl(index) {
      _ = renderer.schedule(control: index, to: value, over: 0, at: offset)
    }
  }

  /// Tells the host the value of a property, if the worker has passed one.
  @_noLocks private func reportProperty(_ writer: inout AtomWriter) {
    guard let value = properties.toHost.content else { return }
    _ = writer.append(property: value.key, value.type, value.bytes, at: 0)
    properties.toHost.clear()
    // There may be another one.
    renderer.signals.wakeWorker()
  }

  /// Schedules a message of the host. Bytes that are not one complete message are left out.
  @_noLocks private mutating func schedule(_ bytes: UnsafeRawBufferPointer, at offset: Int) {
    let memory = bytes.baseAddress?.assumingMemoryBound(to: UInt8.self)
    guard let message = MIDIMessage(UnsafeBufferPointer(start: memory, count: bytes.count)) else {
      return
    }
    renderer.schedule(message, at: offset)
  }
}
