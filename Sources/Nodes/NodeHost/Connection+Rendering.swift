import LocalSystem
import NodeProtocol
public import RenderCore

// The methods for the host's render thread.
extension Connection {
  /// The state while events may be scheduled.
  private var running: UnsafeMutablePointer<HostState>? {
    @_noLocks get { phase.isRunning ? state : nil }
  }

  /// Schedules a channel message for the next cycle or a later one.
  ///
  /// Messages may be scheduled in any order. Messages for the same frame act in the order in which they were scheduled.
  /// Realtime: yes.
  ///
  /// - Parameters:
  ///   - message: The message.
  ///   - offset: The frame at which the message acts, relative to the first frame of the next cycle. A message beyond
  ///     that cycle is held until its cycle; a negative offset means frame 0.
  /// - Returns: `accepted`, or the reason why the message was not scheduled.
  @_noLocks public func schedule(_ message: ChannelMessage, at offset: Int) -> ScheduleStatus {
    running?.pointee.schedule(message, at: offset) ?? .notRunning
  }

  /// Schedules a system message, such as a timing clock or a song position, like a channel message. Realtime: yes.
  @_noLocks public func schedule(_ message: SystemMessage, at offset: Int) -> ScheduleStatus {
    running?.pointee.schedule(message, at: offset) ?? .notRunning
  }

  /// Schedules a parameter change. Realtime: yes.
  ///
  /// - Parameters:
  ///   - index: The index in ``parameters``.
  ///   - value: The new value.
  ///   - frames: The length in frames of a linear ramp from the current value; 0 for an immediate change.
  ///   - offset: As in ``schedule(_:at:)``.
  @_noLocks public func schedule(
    parameter index: Int, to value: Float, over frames: Int = 0, at offset: Int
  ) -> ScheduleStatus {
    running?.pointee.schedule(parameter: index, to: value, over: frames, at: offset) ?? .notRunning
  }

  /// Sets the host's transport for the next cycle. A cycle for which this is not called has no transport.
  ///
  /// Call this once per cycle for its first frame, and again for each frame at which the transport changes in a way
  /// that the previous one does not imply: a change of tempo or meter, a jump, or the return to the start of a loop.
  /// Realtime: yes.
  ///
  /// - Parameters:
  ///   - transport: The transport from this frame on.
  ///   - offset: The frame relative to the first frame of the next cycle. A transport beyond that cycle is discarded.
  /// - Returns: `full` after 64 transports in one cycle.
  @_noLocks @discardableResult public func setTransport(
    _ transport: Transport, at offset: Int = 0
  ) -> ScheduleStatus {
    running?.pointee.setTransport(transport, at: offset) ?? .notRunning
  }

  /// Schedules a message of raw bytes: a complete channel or system message, or a System Exclusive message from F0 to
  /// F7.
  ///
  /// Realtime: yes.
  ///
  /// - Parameters:
  ///   - bytes: The message, without running status. Copied before the call returns.
  ///   - offset: As in ``schedule(_:at:)``.
  /// - Returns: `malformed` for other bytes: for instance, if a byte is missing or surplus, or a data byte is above
  ///   127.
  @_noLocks public func schedule(
    bytes: UnsafeBufferPointer<UInt8>, at offset: Int
  ) -> ScheduleStatus {
    running?.pointee.schedule(bytes: bytes, at: offset) ?? .notRunning
  }

  /// Schedules a message that has been decoded from its bytes, like ``schedule(bytes:at:)``. Realtime: yes.
  @_noLocks package func schedule(_ message: MIDIMessage, at offset: Int) -> ScheduleStatus {
    running?.pointee.schedule(message, at: offset) ?? .notRunning
  }

  /// Renders one cycle. Realtime: yes, except the wait for the node.
  ///
  /// - Parameters:
  ///   - frames: The number of frames: 1 to the format's maximum. May differ from cycle to cycle.
  ///   - hostTime: The time at which the first frame is audible, in nanoseconds of CLOCK_MONOTONIC; `nil` for now.
  ///   - input: The input of an effect: for instance, the ``audio`` of another connection. Copied. Missing channels are
  ///     silent.
  ///   - output: One pointer per channel of the format, to `frames` samples each. Filled with silence unless the status
  ///     is `rendered`; not written if the connection is not initialized.
  @_noLocks public func render(
    frames: Int, hostTime: Int64? = nil, input: AudioInput = AudioInput(),
    into output: UnsafePointer<UnsafeMutablePointer<Float>>
  ) -> RenderStatus {
    guard let state else { return phase.obstacle ?? .notInitialized }
    RealtimeSection.begin()
    _ = state.pointee.post(
      frames: frames, hostTime: hostTime, input: input, together: true)
    let status = state.pointee.finish(within: nil)
    state.pointee.copyOutput(frames: frames, to: output)
    RealtimeSection.end()
    return status
  }

  /// Renders one cycle of an effect and pulls its input from a closure. Realtime: yes, except the wait for the node.
  ///
  /// - Parameters:
  ///   - frames: As in ``render(frames:hostTime:input:into:)``.
  ///   - hostTime: As in ``render(frames:hostTime:input:into:)``.
  ///   - output: As in ``render(frames:hostTime:input:into:)``.
  ///   - fill: Writes the input. Receives one pointer per input channel, to `frames` samples with undefined content.
  ///     Not called if nothing can be rendered. The compiler checks it as `@_noLocks` code; the simplest closure calls
  ///     a function with that attribute.
  @_noLocks public func render(
    frames: Int, hostTime: Int64? = nil, into output: UnsafePointer<UnsafeMutablePointer<Float>>,
    pulling fill: (UnsafePointer<UnsafeMutablePointer<Float>>) -> Void
  ) -> RenderStatus {
    var input = AudioInput()
    if let state, frames >= 1, frames <= state.pointee.format.maximumFrames {
      fill(UnsafePointer(state.pointee.pulled))
      input = AudioInput(
        UnsafeRawPointer(state.pointee.pulled).assumingMemoryBound(
          to: UnsafePointer<Float>.self), count: state.pointee.format.inputChannels)
    }
    return render(frames: frames, hostTime: hostTime, input: input, into: output)
  }

  /// Renders one cycle without copying the output, which is then available as ``audio``. Realtime: yes, except the wait
  /// for the node.
  @_noLocks public func render(
    frames: Int, hostTime: Int64? = nil, input: AudioInput = AudioInput()
  ) -> RenderStatus {
    render(frames: frames, hostTime: hostTime, input: input, within: nil)
  }

  /// - Parameter limit: The longest wait in nanoseconds, except offline; `nil` for the limit of the mode.
  @_noLocks func render(
    frames: Int, hostTime: Int64?, input: AudioInput, within limit: Int64?
  ) -> RenderStatus {
    guard let state else { return phase.obstacle ?? .notInitialized }
    RealtimeSection.begin()
    _ = state.pointee.post(
      frames: frames, hostTime: hostTime, input: input, together: true, within: limit)
    let status = state.pointee.finish(within: nil)
    RealtimeSection.end()
    return status
  }

  /// Schedules an event of a cycle, at its offset. Realtime: yes.
  @_noLocks public func schedule(_ event: MIDIEvent, of cycle: MIDICycle) -> ScheduleStatus {
    running?.pointee.schedule(event, of: cycle) ?? .notRunning
  }

  /// Begins a cycle without waiting for it, so that several nodes can render at the same time. The caller must call
  /// ``finish(within:)`` before any other render method of this connection. Realtime: yes.
  ///
  /// - Returns: The status that ``finish(within:)`` will return, if it is already known; otherwise `rendered`.
  @_noLocks @discardableResult
  public func begin(
    frames: Int, hostTime: Int64? = nil, input: AudioInput = AudioInput()
  ) -> RenderStatus {
    guard let state else { return phase.obstacle ?? .notInitialized }
    RealtimeSection.begin()
    let status = state.pointee.post(
      frames: frames, hostTime: hostTime, input: input, together: false)
    RealtimeSection.end()
    return status ?? .rendered
  }

  /// Waits for the cycle that ``begin(frames:hostTime:input:)`` began. Realtime: yes, except the wait.
  ///
  /// - Parameter nanoseconds: The longest wait in nanoseconds from the start of the cycle; `nil` for the limit of the
  ///   mode.
  /// - Returns: The status of the cycle. Further calls return the same status.
  @_noLocks public func finish(within nanoseconds: Int64? = nil) -> RenderStatus {
    guard let state else { return phase.obstacle ?? .notInitialized }
    RealtimeSection.begin()
    let status = state.pointee.finish(within: nanoseconds)
    RealtimeSection.end()
    return status
  }

  /// Returns one channel of the last cycle: the node's audio if the status was `rendered`, otherwise silence.
  ///
  /// Valid until the next cycle begins or the connection is uninitialized. `nil` if the connection is not initialized.
  /// Realtime: yes.
  @_noLocks public func output(channel: Int) -> UnsafePointer<Float>? {
    guard let state else { return nil }
    return state.pointee.output(channel: channel)
  }

  /// The audio of the last cycle, as ``output(channel:)`` of all channels. Pass it as the input of another connection
  /// to chain nodes. Has no channels if the connection is not initialized. Realtime: yes.
  public var audio: AudioInput {
    @_noLocks get {
      guard let state else { return AudioInput() }
      return state.pointee.audio
    }
  }

  /// Adds all further pairs of channels of the last cycle to the first pair, which ``output(channel:)`` and ``audio``
  /// then contain, and returns the first pair. Must be called once per cycle. Realtime: yes.
  @_noLocks func mixToStereo() -> AudioInput {
    guard let state else { return AudioInput() }
    return state.pointee.mixToStereo()
  }

  /// The MIDI that the node sent in the last cycle: the input from keyboards that play the port, and the output of the
  /// unit.
  ///
  /// The events are in order, with offsets within the cycle. Events of a late cycle arrive with the next cycle that is
  /// `rendered`, at offset 0. Empty unless the status was `rendered`. Valid until the next cycle begins or the
  /// connection is uninitialized. Realtime: yes. Threads: the render thread.
  public var receivedEvents: MIDICycle {
    @_noLocks get {
      guard let state else { return HostState.nothing }
      return state.pointee.received
    }
  }

  /// The defects of the last rendered cycle. Realtime: yes. Threads: the render thread.
  public var defects: CycleDefects {
    @_noLocks get {
      guard let state else { return CycleDefects() }
      return state.pointee.defects
    }
  }

  /// The statistics of all cycles since ``initialize(_:mode:priority:)``. Realtime: yes. Threads: the render thread.
  public var statistics: CycleStatistics {
    @_noLocks get {
      guard let state else { return CycleStatistics() }
      return state.pointee.statistics.pointee
    }
  }

  /// The number of cycles that the node has answered in time. Realtime: yes. Threads: the render thread.
  package var answeredCycles: Int {
    @_noLocks get {
      guard let statistics = state?.pointee.statistics else { return 0 }
      return statistics.pointee.cycles - statistics.pointee.lateCycles
    }
  }

  /// The number of late cycles in ``statistics``, without a copy of the rest. Realtime: yes. Threads: the render thread.
  package var lateCycles: Int {
    @_noLocks get { state?.pointee.statistics.pointee.lateCycles ?? 0 }
  }
}
