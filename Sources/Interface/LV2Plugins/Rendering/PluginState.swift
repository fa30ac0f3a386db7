import CLV2
import LV2Bundles
import LocalSystem
import NodeHost
import RenderCore

/// The state of an instance's render thread.
///
/// Realtime: yes, except where it is made and destroyed.
struct PluginState: BitwiseCopyable {
  /// The host's memory for each LV2 port; `nil` for a port that is not connected.
  private let ports: UnsafeMutablePointer<UnsafeMutableRawPointer?>
  private let portCount: Int
  private let eventsPort: Int
  private let notificationsPort: Int
  private let freewheelPort: Int
  private let enabledPort: Int
  private let latencyPort: Int
  private let firstInput: Int
  private let inputCount: Int
  private let firstOutput: Int
  private let outputCount: Int
  private let firstParameter: Int
  private let types: AtomTypes

  /// The data that the instance's worker shares.
  private let signals: PluginSignals
  private let slot: ConnectionSlot
  /// The number of the connection that the last cycle used.
  private var connectionNumber: UInt32 = 0
  /// The value of ``PluginSignals/restored`` at the last cycle.
  private var restored: UInt32 = 0
  private var wasFreewheeling = false
  /// Whether the last cycle that the node rendered sounded.
  private var isSounding = false

  /// The notes and controls that the node has sent to the host, which end with the connection.
  private let sent: UnsafeMutablePointer<SourceState>
  /// The channel settings that the host has sent.
  private var chase = InstrumentChase()
  /// Space for the messages that bring a new unit to these settings.
  private let messages: UnsafeMutablePointer<ChannelMessage>
  private let sysEx: UnsafeMutablePointer<UInt8>
  /// The host's transport at the next frame; undefined before the host has sent one.
  private var transport = Transport()
  private var hasTransport = false

  /// For each control port, the number of the parameter's URI, which messages can set.
  private let parameterKeys: UnsafeMutablePointer<LV2_URID>
  /// For each control port, its value in the last cycle.
  private let portValues: UnsafeMutablePointer<Float>
  /// For each control port, whether its value changed in the last cycle.
  private let areMoving: UnsafeMutablePointer<Bool>
  /// The frames in which a control port that did not move reaches its new value: 10 ms.
  private let stepLength: Int

  private let rate: Double
  /// The longest cycle of a connection. A longer one of the host is rendered in several.
  private let maximumFrames: Int
  /// One pointer per channel, to the frames of the current cycle.
  private let inputs: UnsafeMutablePointer<UnsafePointer<Float>>
  private let outputs: UnsafeMutablePointer<UnsafeMutablePointer<Float>>
  /// A channel that is never written.
  private let silence: UnsafeMutablePointer<Float>
  /// A channel that is never read, for outputs that are not connected.
  private let unused: UnsafeMutablePointer<Float>
  /// A copy of the input for the bypass, because input and output may be the same memory.
  private let dry: UnsafeMutablePointer<Float>
  /// 1: only the unit is heard; 0: only the input.
  private var wet: Float = 1
  /// The change of ``wet`` per frame: a bypass takes 10 ms.
  private let wetStep: Float

  /// Connects an LV2 port to the host's memory.
  @_noLocks func connect(_ port: Int, to memory: UnsafeMutableRawPointer?) {
    if port >= 0, port < portCount { ports[port] = memory }
  }

  /// The value of a control port.
  @_noLocks private func control(_ port: Int, _ otherwise: Float) -> Float {
    guard let memory = ports[port] else { return otherwise }
    let value = memory.assumingMemoryBound(to: Float.self).pointee
    return value.isFinite ? value : otherwise
  }
}

// The audio of a cycle.
extension PluginState {
  /// Sets the pointers to the frames of a cycle.
  @_noLocks private func setBuffers(_ begin: Int, _ frames: Int) {
    for channel in 0..<inputCount {
      let memory = ports[firstInput + channel]
      if let memory {
        inputs[channel] = UnsafePointer(memory.assumingMemoryBound(to: Float.self) + begin)
      } else {
        inputs[channel] = UnsafePointer(silence)
      }
    }
    for channel in 0..<outputCount {
      let memory = ports[firstOutput + channel]
      if let memory {
        outputs[channel] = memory.assumingMemoryBound(to: Float.self) + begin
      } else {
        outputs[channel] = unused
      }
    }
  }

  /// Renders a cycle; silence without a connection.
  ///
  /// - Returns: Whether the node renders the port.
  @_noLocks private mutating func render(
    _ frames: Int, _ active: UnsafeMutablePointer<ActiveConnection>?
  ) -> Bool {
    if isBypassing {
      for channel in 0..<inputCount {
        UnsafeMutableRawPointer(dry + channel * maximumFrames).copyMemory(
          from: inputs[channel], byteCount: frames * MemoryLayout<Float>.stride)
      }
    }
    guard let active else {
      for channel in 0..<outputCount { outputs[channel].update(repeating: 0, count: frames) }
      return false
    }
    let input = AudioInput(UnsafePointer(inputs), count: inputCount)
    let status = active.pointee.connection._withUnsafeGuaranteedRef {
      $0.render(frames: frames, input: input, into: UnsafePointer(outputs))
    }
    if status == .rendered {
      isSounding = sounds(frames)
      return true
    }
    if status == .late { signals.reportLateCycle(wasSounding: isSounding) }
    for channel in 0..<outputCount { outputs[channel].update(repeating: 0, count: frames) }
    return status == .late
  }

  /// Whether any sample of the outputs is not 0.
  @_noLocks private func sounds(_ frames: Int) -> Bool {
    for channel in 0..<outputCount {
      let output = outputs[channel]
      for frame in 0..<frames where output[frame] != 0 { return true }
    }
    return false
  }

  private var isBypassing: Bool {
    @_noLocks get { wet != 1 || control(enabledPort, 1) <= 0 }
  }

  /// Fades from the unit to the input while the plugin is bypassed, and back. An instrument without input fades to
  /// silence. Otherwise, no bit changes.
  @_noLocks private mutating func mixBypass(_ frames: Int) {
    if !isBypassing { return }
    let target: Float = control(enabledPort, 1) > 0 ? 1 : 0
    let first = wet
    for channel in 0..<outputCount {
      let output = outputs[channel]
      let input = channel < inputCount ? dry + channel * maximumFrames : silence
      wet = first
      for frame in 0..<frames {
        wet = target > wet ? min(target, wet + wetStep) : max(target, wet - wetStep)
        output[frame] = output[frame] * wet + input[frame] * (1 - wet)
      }
    }
  }
}

// The connection that a cycle uses.
extension PluginState {
  /// Without a deadline, the longest wait for a connection in nanoseconds.
  private static var connectionLimit: Int64 { @_noLocks get { 10_000_000_000 } }

  /// Returns the connection; `nil` if there is none, or if its unit is to be replaced.
  @_noLocks private func takeConnection() -> UnsafeMutablePointer<ActiveConnection>? {
    guard let active = slot.take() else { return nil }
    if active.pointee.restart == signals.restart.value { return active }
    slot.giveBack(active)
    return nil
  }

  /// Waits for a connection, unless the last attempt to connect has failed. Only for a host that renders without a
  /// deadline.
  @_noLocks private func awaitConnection() -> UnsafeMutablePointer<ActiveConnection>? {
    let deadline = MonotonicClock.now + Self.connectionLimit
    while signals.hasFailed.value == 0, MonotonicClock.now < deadline {
      let arrivals = signals.arrival.value
      if let active = takeConnection() { return active }
      if signals.awaitsRun.value != 0 { reportRun() }
      signals.arrival.wait(while: arrivals, until: deadline)
    }
    return takeConnection()
  }

  /// Wakes the worker, which waits for the first cycle in order to learn the thread's priority.
  @_noLocks private func reportRun() {
    signals.priority.store(UInt32(SystemThread.currentPriority))
    if signals.awaitsRun.exchange(1, for: 0) { signals.wakeWorker() }
  }

  /// Requests a new unit with the settings of the current one: an offline unit when freewheeling begins, so that every
  /// note begins on its frame, and when the song begins to play during it, so that the song does not depend on what was
  /// played before; a realtime unit when freewheeling ends.
  @_noLocks private func requestUnit() {
    signals.restart.increase()
    signals.wakeWorker()
  }

  /// Brings a new connection's unit to the settings that the host has sent.
  @_noLocks private mutating func establish(_ active: ActiveConnection) {
    connectionNumber = active.number
    var steps = ChaseSteps(from: InstrumentChase())
    while let step = steps.step(to: chase, messages, sysEx) {
      active.connection._withUnsafeGuaranteedRef { connection in
        switch step {
        case .sysEx(let bytes): _ = connection.schedule(.sysEx(bytes), at: 0)
        case .channel(let messages):
          for index in 0..<messages.count { _ = connection.schedule(messages[index], at: 0) }
        }
      }
    }
  }
}

extension PluginState {
  /// Renders a cycle of the host: any number of frames, also none or more than the host has announced.
  @_noLocks mutating func run(frames: Int) {
    if signals.awaitsRun.value != 0 { reportRun() }
    if signals.restored.value != restored {
      restored = signals.restored.value
      chase = InstrumentChase()
    }
    var writer = AtomWriter(ports[notificationsPort], types)
    reportProperty(&writer)
    var reader = AtomReader(ports[eventsPort].map { UnsafeRawPointer($0) }, types)
    let isFreewheeling = control(freewheelPort, 0) > 0
    if isFreewheeling != wasFreewheeling {
      wasFreewheeling = isFreewheeling
      signals.isFreewheeling.store(isFreewheeling ? 1 : 0)
      requestUnit()
    } else if isFreewheeling, startsSong(reader) {
      requestUnit()
    }
    var active = takeConnection()
    if active == nil, isFreewheeling, frames > 0 { active = awaitConnection() }
    if let active {
      let isNew = active.pointee.number != connectionNumber
      if isNew {
        writer.end(&sent.pointee, at: 0)
        establish(active.pointee)
      }
      scheduleControls(active.pointee, frames, isNew: isNew)
    }
    var begin = 0
    while begin < frames {
      let count = min(maximumFrames, frames - begin)
      setBuffers(begin, count)
      schedule(&reader, from: begin, count, isLast: begin + count == frames, active)
      let isRendered = render(count, active)
      if let active, isRendered {
        let received = active.pointee.connection._withUnsafeGuaranteedRef { $0.receivedEvents }
        writer.append(received, from: begin, sent)
        if received.events.count > 0 { signals.reportChange() }
      } else {
        writer.end(&sent.pointee, at: begin)
      }
      mixBypass(count)
      transport = transport.after(frames: count, sampleRate: rate)
      begin += count
    }
    if frames == 0 { schedule(&reader, from: 0, 0, isLast: true, active) }
    if let latency = ports[latencyPort]?.assumingMemoryBound(to: Float.self) {
      latency.pointee = Float(signals.latency.value)
    }
    if let active { slot.giveBack(active) }
  }
}

// The host's events and control values.
extension PluginState {
  /// Whether the song begins to play on the first frame of the host's cycle.
  @_noLocks private func startsSong(_ reader: AtomReader) -> Bool {
    if hasTransport, transport.isPlaying { return false }
    var reader = reader
    while let event = reader.first, event.frame <= 0 {
      if let position = Transport(event, types) { return position.isPlaying }
      reader.removeFirst()
    }
    return false
  }

  /// Sends the control ports that have changed. Values out of the node's range are clamped; NaN is ignored.
  ///
  /// A host gives a port one value per cycle. Its first change takes 10 ms, so that a jump is heard where it is. A port
  /// that changes again in the next cycle is automated: it moves evenly through the whole cycle, so that a ramp has no
  /// steps. It is then as late as a cycle is long, because the host's next value is not known.
  ///
  /// - Parameters:
  ///   - frames: The length of the host's cycle.
  ///   - isNew: Whether the unit is new, so that it begins with the values.
  @_noLocks private func scheduleControls(
    _ active: ActiveConnection, _ frames: Int, isNew: Bool
  ) {
    for index in 0..<signals.count where active.indices[index] >= 0 {
      let known = signals[control: index]
      let value = control(firstParameter + index, known)
      // A parameter that a message has set keeps its value until the port changes.
      let hasChanged = value != known && (isNew || value != portValues[index])
      let length = isNew ? 0 : areMoving[index] ? frames : min(frames, stepLength)
      if hasChanged, !schedule(control: index, to: value, over: length, at: 0, active) { return }
      portValues[index] = value
      // A host that asks for no frames only tells the values.
      areMoving[index] = hasChanged && frames > 0 && !isNew
    }
  }

  /// Sends a new value of a control port's parameter.
  ///
  /// - Returns: `false` if the cycle has room for no more.
  @_noLocks private func schedule(
    control index: Int, to value: Float, over frames: Int, at offset: Int,
    _ active: ActiveConnection
  ) -> Bool {
    let range = active.ranges[index]
    let status = active.connection._withUnsafeGuaranteedRef {
      $0.schedule(
        parameter: Int(active.indices[index]),
        to: max(range.lowerBound, min(value, range.upperBound)), over: frames, at: offset)
    }
    if status == .full { return false }
    signals[control: index] = value
    signals.reportChange()
    return true
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
    _ reader: inout AtomReader, from begin: Int, _ frames: Int, isLast: Bool,
    _ active: UnsafeMutablePointer<ActiveConnection>?
  ) {
    if let active, hasTransport {
      active.pointee.connection._withUnsafeGuaranteedRef { _ = $0.setTransport(transport, at: 0) }
    }
    let isEnabled = control(enabledPort, 1) > 0
    while let event = reader.first {
      if !isLast, event.frame >= Int64(begin + frames) { break }
      let offset = max(
        0, min(Int(min(max(event.frame, 0), Int64(begin + frames))) - begin, frames - 1))
      if event.type == types.midi {
        schedule(event.body, at: offset, isEnabled: isEnabled, active)
      } else if let position = Transport(event, types) {
        // The transport is kept as of the cycle's first frame.
        transport = position.after(frames: -offset, sampleRate: rate)
        hasTransport = true
        if let active {
          active.pointee.connection._withUnsafeGuaranteedRef {
            _ = $0.setTransport(position, at: offset)
          }
        }
      } else if let object = AtomObject(event, types) {
        if object.type == types.patchSet { setProperty(object.properties, at: offset, active) }
        if object.type == types.patchGet, signals.asksForProperties.exchange(0, for: 1) {
          signals.wakeWorker()
        }
      }
      reader.removeFirst()
    }
  }

  /// Sets a parameter on its frame, or passes another property to the worker, unless the last one is still there.
  @_noLocks private func setProperty(
    _ properties: AtomReader, at offset: Int, _ active: UnsafeMutablePointer<ActiveConnection>?
  ) {
    var properties = properties
    var key: LV2_URID = 0
    var value: AtomRecord?
    while let property = properties.removeFirst() {
      if property.key == types.patchProperty, property.type == types.urid, property.body.count >= 4
      {
        key = property.body.loadUnaligned(as: LV2_URID.self)
      }
      if property.key == types.patchValue { value = property }
    }
    guard key != 0, let value else { return }
    if let number = value.number(types) {
      set(key, to: Float(number), at: offset, active)
      return
    }
    guard value.type == types.string || value.type == types.path, value.body.count > 0 else {
      return
    }
    let new = PropertyMailbox.Value(key: key, type: value.type, bytes: value.body)
    if signals.propertyFromHost.put(new) { signals.wakeWorker() }
  }

  @_noLocks private func set(
    _ key: LV2_URID, to value: Float, at offset: Int,
    _ active: UnsafeMutablePointer<ActiveConnection>?
  ) {
    guard let active, value.isFinite else { return }
    for index in 0..<signals.count
    where parameterKeys[index] == key && active.pointee.indices[index] >= 0 {
      _ = schedule(control: index, to: value, over: 0, at: offset, active.pointee)
    }
  }

  /// Tells the host the value of a property, if the worker has passed one.
  @_noLocks private func reportProperty(_ writer: inout AtomWriter) {
    guard let value = signals.propertyToHost.content else { return }
    writer.append(value, types)
    signals.propertyToHost.clear()
    // There may be another one.
    signals.wakeWorker()
  }

  /// Schedules a message of the host, and follows it. Bytes that are not one complete message are left out.
  @_noLocks private mutating func schedule(
    _ bytes: UnsafeRawBufferPointer, at offset: Int, isEnabled: Bool,
    _ active: UnsafeMutablePointer<ActiveConnection>?
  ) {
    let memory = bytes.baseAddress?.assumingMemoryBound(to: UInt8.self)
    guard let message = MIDIMessage(UnsafeBufferPointer(start: memory, count: bytes.count)) else {
      return
    }
    switch message {
    case .channel(let message):
      // A note would sound when the bypass ends.
      if message.startsNote, !isEnabled { return }
      chase.follow(message)
      if !message.startsNote, !message.endsNote { signals.reportChange() }
    case .sysEx(let inner):
      chase.follow(sysEx: inner)
      signals.reportChange()
    case .system: break
    }
    guard let active else { return }
    _ = active.pointee.connection._withUnsafeGuaranteedRef { $0.schedule(message, at: offset) }
  }
}

extension PluginState {
  /// - Parameters:
  ///   - layout: The order of the ports.
  ///   - parameterKeys: The number of the URI of each parameter.
  ///   - memory: Allocates the buffers.
  init(
    _ layout: PluginPorts, _ types: AtomTypes, _ signals: PluginSignals, _ slot: ConnectionSlot,
    parameterKeys: [LV2_URID], rate: Double, maximumFrames: Int, _ memory: RenderMemory
  ) {
    self.types = types
    self.signals = signals
    self.slot = slot
    self.rate = rate
    self.maximumFrames = maximumFrames
    portCount = layout.count
    eventsPort = PluginPorts.events
    notificationsPort = PluginPorts.notifications
    freewheelPort = PluginPorts.freewheel
    enabledPort = PluginPorts.enabled
    latencyPort = PluginPorts.latency
    (firstInput, inputCount) = (layout.audioInputs.lowerBound, layout.audioInputs.count)
    (firstOutput, outputCount) = (layout.audioOutputs.lowerBound, layout.audioOutputs.count)
    firstParameter = layout.parameters.lowerBound
    ports = memory.make(layout.count, of: nil)
    silence = memory.make(maximumFrames, of: 0)
    unused = memory.make(maximumFrames, of: 0)
    dry = memory.make(max(1, inputCount * maximumFrames), of: 0)
    inputs = memory.make(max(1, inputCount), of: UnsafePointer(silence))
    outputs = memory.make(max(1, outputCount), of: unused)
    sent = memory.make(1, of: SourceState())
    self.parameterKeys = memory.make(max(1, parameterKeys.count), of: 0)
    for (index, key) in parameterKeys.enumerated() { self.parameterKeys[index] = key }
    portValues = memory.make(max(1, layout.parameters.count), of: .nan)
    areMoving = memory.make(max(1, layout.parameters.count), of: false)
    stepLength = Int(0.01 * rate)
    messages = memory.make(
      ChannelChase.maximumMessages, of: ChannelMessage(.noteOff, channel: 0, 0))
    sysEx = memory.make(ShortSysEx.capacity, of: 0)
    wetStep = Float(1 / (0.01 * rate))
  }
}
