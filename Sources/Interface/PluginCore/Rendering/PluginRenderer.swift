import LocalSystem
import NodeHost
import NodeProtocol
import PluginBundles
package import RenderCore

/// Renders the cycles of an instance: what its host sends goes to the node that has the port, and its audio comes back.
///
/// In each cycle of the host, a plugin standard's side calls ``begin(_:)`` first. For each part of at most
/// ``maximumFrames`` frames it schedules what acts in that part, sets the buffers and calls ``render(_:)``. It calls
/// ``end()`` last.
///
/// Realtime: yes, except where it is made and destroyed.
package struct PluginRenderer: BitwiseCopyable {
  /// The longest part of a cycle.
  package let maximumFrames: Int
  package let rate: Double
  /// The data that the instance's worker shares.
  package let signals: PluginSignals
  private let slot: ConnectionSlot
  /// The connection of this cycle.
  private var active: UnsafeMutablePointer<ActiveConnection>?
  /// The number of the connection that the last cycle used.
  private var connectionNumber: UInt32 = 0
  /// The value of ``PluginSignals/restored`` at the last cycle.
  private var restored: UInt32 = 0
  private var wasFreewheeling = false
  /// Whether the last cycle that the node rendered sounded.
  private var isSounding = false
  /// Whether a message was scheduled since the last rendered part.
  private var hasMessages = false
  private var isEnabled = true

  /// The channel settings that the host has sent.
  private var chase = InstrumentChase()
  /// Space for the messages that bring a new unit to these settings.
  private let messages: UnsafeMutablePointer<ChannelMessage>
  private let sysEx: UnsafeMutablePointer<UInt8>
  /// The host's transport at the next frame; undefined before the host has sent one.
  private var transport = Transport()
  private var hasTransport = false

  private let inputCount: Int
  private let outputCount: Int
  /// One pointer per channel, to the frames of the current part.
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

  /// - Parameters:
  ///   - rate: The rate in Hz.
  ///   - maximumFrames: The longest cycle of a connection.
  ///   - memory: Allocates the buffers.
  package init(
    _ shared: PluginShared, rate: Double, maximumFrames: Int, _ memory: RenderMemory
  ) {
    signals = shared.signals
    slot = shared.slot
    self.rate = rate
    self.maximumFrames = maximumFrames
    inputCount = shared.plugin.inputChannels
    outputCount = shared.plugin.outputChannels
    silence = memory.make(maximumFrames, of: 0)
    unused = memory.make(maximumFrames, of: 0)
    dry = memory.make(max(1, inputCount * maximumFrames), of: 0)
    inputs = memory.make(max(1, inputCount), of: UnsafePointer(silence))
    outputs = memory.make(max(1, outputCount), of: unused)
    messages = memory.make(
      ChannelChase.maximumMessages, of: ChannelMessage(.noteOff, channel: 0, 0))
    sysEx = memory.make(ShortSysEx.capacity, of: 0)
    wetStep = Float(1 / (0.01 * rate))
  }
}

// The beginning and the end of a cycle.
extension PluginRenderer {
  /// What a host tells about a cycle.
  package struct Cycle: BitwiseCopyable {
    package let frames: Int
    /// Whether the host renders without a deadline.
    package let isFreewheeling: Bool
    /// Whether the plugin is not bypassed.
    package let isEnabled: Bool
    /// Whether the song plays from the first frame on; only read without a deadline.
    package let isPlaying: Bool

    @_noLocks package init(
      frames: Int, isFreewheeling: Bool, isEnabled: Bool, isPlaying: Bool
    ) {
      self.frames = frames
      self.isFreewheeling = isFreewheeling
      self.isEnabled = isEnabled
      self.isPlaying = isPlaying
    }
  }

  /// Whether the cycle has a connection.
  package var isConnected: Bool { @_noLocks get { active != nil } }

  /// Begins a cycle of any number of frames.
  ///
  /// - Returns: Whether the cycle has another connection than the one before.
  @_noLocks package mutating func begin(_ cycle: Cycle) -> Bool {
    if signals.awaitsRun.value != 0 { reportRun() }
    if signals.restored.value != restored {
      restored = signals.restored.value
      chase = InstrumentChase()
    }
    isEnabled = cycle.isEnabled
    if cycle.isFreewheeling != wasFreewheeling {
      wasFreewheeling = cycle.isFreewheeling
      signals.isFreewheeling.store(cycle.isFreewheeling ? 1 : 0)
      requestUnit()
    } else if cycle.isFreewheeling, cycle.isPlaying, !(hasTransport && transport.isPlaying) {
      requestUnit()
    }
    active = takeConnection()
    if active == nil, cycle.isFreewheeling, cycle.frames > 0 { active = awaitConnection() }
    guard let active, active.pointee.number != connectionNumber else { return false }
    establish(active.pointee)
    return true
  }

  /// Requests a unit in which nothing has sounded, for the next cycle.
  @_noLocks package func replaceUnit() { requestUnit() }

  /// Ends the cycle.
  @_noLocks package mutating func end() {
    if let active { slot.giveBack(active) }
    active = nil
  }

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

// What the host sends.
extension PluginRenderer {
  /// Sends the transport at the first frame of the next part, if the host has sent one.
  @_noLocks package func scheduleTransport() {
    guard let active, hasTransport else { return }
    active.pointee.connection._withUnsafeGuaranteedRef { _ = $0.setTransport(transport, at: 0) }
  }

  /// Sends a transport of the host, and follows it.
  ///
  /// - Parameters:
  ///   - offset: The frame in the next part.
  ///   - tick: The length of the tick, in quarter notes, to which the host rounds positions.
  @_noLocks package mutating func schedule(
    _ given: Transport, at offset: Int, roundedTo tick: Double = 0
  ) {
    var position = given
    if hasTransport, tick > 0 {
      let expected = transport.after(frames: offset, sampleRate: rate)
      position = given.continuing(expected, within: tick, isNearest: true)
    }
    // The transport is kept as of the part's first frame.
    transport = position.after(frames: -offset, sampleRate: rate)
    hasTransport = true
    guard let active else { return }
    active.pointee.connection._withUnsafeGuaranteedRef {
      _ = $0.setTransport(position, at: offset)
    }
  }

  /// Sends a message of the host, and follows it.
  ///
  /// - Parameter offset: The frame in the next part.
  @_noLocks package mutating func schedule(_ message: MIDIMessage, at offset: Int) {
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
    hasMessages = true
    _ = active.pointee.connection._withUnsafeGuaranteedRef { $0.schedule(message, at: offset) }
  }

  /// Whether the unit has the parameter of a control.
  @_noLocks package func hasControl(_ index: Int) -> Bool {
    guard let active else { return false }
    return active.pointee.indices[index] >= 0
  }

  /// Sends a new value of a control's parameter. A value out of the node's range is clamped.
  ///
  /// - Parameters:
  ///   - index: The index in the plugin's parameters; the unit must have it: ``hasControl(_:)``.
  ///   - frames: The length of a ramp.
  ///   - offset: The frame in the next part.
  /// - Returns: `false` if the cycle has room for no more.
  @_noLocks package func schedule(
    control index: Int, to value: Float, over frames: Int, at offset: Int
  ) -> Bool {
    guard let active else { return false }
    let range = active.pointee.ranges[index]
    let parameter = Int(active.pointee.indices[index])
    let status = active.pointee.connection._withUnsafeGuaranteedRef {
      $0.schedule(
        parameter: parameter, to: max(range.lowerBound, min(value, range.upperBound)),
        over: frames, at: offset)
    }
    if status == .full { return false }
    signals[control: index] = value
    signals.reportChange()
    return true
  }
}

// The audio.
extension PluginRenderer {
  /// Sets the memory of an input's channel for the next part; `nil` for silence.
  @_noLocks package func setInput(_ channel: Int, _ memory: UnsafePointer<Float>?) {
    inputs[channel] = memory ?? UnsafePointer(silence)
  }

  /// Sets the memory of an output's channel for the next part; `nil` if it is not read.
  @_noLocks package func setOutput(_ channel: Int, _ memory: UnsafeMutablePointer<Float>?) {
    outputs[channel] = memory ?? unused
  }

  /// Renders a part of a cycle; silence without a connection.
  ///
  /// - Parameter frames: 1 to ``maximumFrames``.
  /// - Returns: Whether the node renders the port. Then ``receivedEvents`` are what it has sent.
  @_noLocks package mutating func render(_ frames: Int) -> Bool {
    let isBypassing = wet != 1 || !isEnabled
    if isBypassing {
      for channel in 0..<inputCount {
        UnsafeMutableRawPointer(dry + channel * maximumFrames).copyMemory(
          from: inputs[channel], byteCount: frames * MemoryLayout<Float>.stride)
      }
    }
    let isRendered = renderUnit(frames)
    if isBypassing { mixBypass(frames) }
    transport = transport.after(frames: frames, sampleRate: rate)
    return isRendered
  }

  /// The events that the node has sent in the last part, which it has rendered.
  package var receivedEvents: MIDICycle {
    @_noLocks get {
      guard let active else { return MIDICycle(frames: 1) }
      return active.pointee.connection._withUnsafeGuaranteedRef { $0.receivedEvents }
    }
  }

  @_noLocks private mutating func renderUnit(_ frames: Int) -> Bool {
    guard let active else {
      clearOutputs(frames)
      return false
    }
    let input = AudioInput(UnsafePointer(inputs), count: inputCount)
    let status = active.pointee.connection._withUnsafeGuaranteedRef {
      $0.render(frames: frames, input: input, into: UnsafePointer(outputs))
    }
    if status == .rendered {
      hasMessages = false
      isSounding = sounds(frames)
      return true
    }
    if status == .late, isSounding || hasMessages { signals.reportInterruption() }
    clearOutputs(frames)
    return status == .late
  }

  @_noLocks private func clearOutputs(_ frames: Int) {
    for channel in 0..<outputCount { outputs[channel].update(repeating: 0, count: frames) }
  }

  /// Whether any sample of the outputs is not 0.
  @_noLocks private func sounds(_ frames: Int) -> Bool {
    for channel in 0..<outputCount {
      let output = outputs[channel]
      for frame in 0..<frames where output[frame] != 0 { return true }
    }
    return false
  }

  /// Fades from the unit to the input while the plugin is bypassed, and back. An instrument without input fades to
  /// silence. Otherwise, no bit changes.
  @_noLocks private mutating func mixBypass(_ frames: Int) {
    let target: Float = isEnabled ? 1 : 0
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
