import NodeProtocol
public import RenderCore
import Threads

// What a host's render thread calls.
extension Connection {
  /// Schedules a message for the next cycle or a later one.
  ///
  /// Any number per cycle and in any order; those of one frame act in the order in which they were
  /// scheduled. Realtime: yes.
  ///
  /// - Parameter offset: Frames after the first of the next cycle. Beyond that cycle it is held for the
  ///   one it belongs to; a negative one acts at once.
  /// - Returns: Unless it is `accepted`, nothing has changed.
  @_noLocks public func schedule(_ message: ChannelMessage, at offset: Int) -> ScheduleStatus {
    guard phase.isRunning, let state else { return .notRunning }
    return state.pointee.schedule(message, at: offset)
  }

  /// Schedules a system message, such as a clock or a song position: as ``schedule(_:at:)`` of a channel
  /// message. Realtime: yes.
  @_noLocks public func schedule(_ message: SystemMessage, at offset: Int) -> ScheduleStatus {
    guard phase.isRunning, let state else { return .notRunning }
    return state.pointee.schedule(message, at: offset)
  }

  /// Schedules a parameter's way to a new value. Realtime: yes.
  ///
  /// - Parameters:
  ///   - index: In ``parameters``.
  ///   - frames: Of a ramp from what it is at that frame, in even steps; 0: at once.
  ///   - offset: As in ``schedule(_:at:)``.
  @_noLocks public func schedule(
    parameter index: Int, to value: Float, over frames: Int = 0, at offset: Int
  ) -> ScheduleStatus {
    guard phase.isRunning, let state else { return .notRunning }
    return state.pointee.schedule(parameter: index, to: value, over: frames, at: offset)
  }

  /// Says where the host's song is in the next cycle. A cycle of which nothing is said has no transport.
  ///
  /// Once per cycle, for its first frame; and again for each frame of it at which something happens that the
  /// transport before does not foresee: another tempo or meter, a jump, a loop that goes back to its start.
  /// Realtime: yes.
  ///
  /// - Parameter offset: Frames after the first of the next cycle: beyond it, it is forgotten.
  /// - Returns: `full` after 64 in one cycle.
  @_noLocks @discardableResult public func setTransport(
    _ transport: Transport, at offset: Int = 0
  ) -> ScheduleStatus {
    guard phase.isRunning, let state else { return .notRunning }
    return state.pointee.setTransport(transport, at: offset)
  }

  /// Schedules a message of raw bytes: a whole channel or system message, or System Exclusive from F0 to F7.
  ///
  /// Realtime: yes.
  ///
  /// - Parameters:
  ///   - bytes: Running status is not understood. Copied before the call returns.
  ///   - offset: As in ``schedule(_:at:)``.
  /// - Returns: `malformed` for anything else: a missing or surplus byte, a data byte above 127.
  @_noLocks public func schedule(
    bytes: UnsafeBufferPointer<UInt8>, at offset: Int
  ) -> ScheduleStatus {
    guard phase.isRunning, let state else { return .notRunning }
    return state.pointee.schedule(bytes: bytes, at: offset)
  }

  /// Renders one cycle. Realtime: yes, apart from the wait.
  ///
  /// - Parameters:
  ///   - frames: 1 to the format's maximum; it may change from cycle to cycle.
  ///   - hostTime: Nanoseconds of CLOCK_MONOTONIC at which the first frame is heard; `nil`: now.
  ///   - input: What an effect works on: of another connection, for instance, its ``audio``. Copied; channels of
  ///     the format that it lacks are silent.
  ///   - output: One pointer per channel of the format, to `frames` samples each. Written whatever
  ///     happens, unless it is not initialized: with silence unless the status is `rendered`.
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

  /// Renders one cycle of an effect, whose input is made now. Realtime: yes, apart from the wait.
  ///
  /// - Parameters:
  ///   - output: As in ``render(frames:hostTime:input:into:)``.
  ///   - fill: Gets one pointer per channel of input, to `frames` samples that are to be written; what they hold
  ///     before is undefined. Not called where nothing can be rendered. The compiler holds it to `@_noLocks`; a closure
  ///     that calls a function marked so is the simplest.
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

  /// Renders one cycle, whose audio is then to be had as ``audio``, and not copied. Realtime: yes, apart from the
  /// wait.
  @_noLocks public func render(
    frames: Int, hostTime: Int64? = nil, input: AudioInput = AudioInput()
  ) -> RenderStatus {
    guard let state else { return phase.obstacle ?? .notInitialized }
    RealtimeSection.begin()
    _ = state.pointee.post(
      frames: frames, hostTime: hostTime, input: input, together: true)
    let status = state.pointee.finish(within: nil)
    RealtimeSection.end()
    return status
  }

  /// Schedules an event of a cycle, at its own offset. Realtime: yes.
  @_noLocks public func schedule(_ event: MIDIEvent, of cycle: MIDICycle) -> ScheduleStatus {
    guard phase.isRunning, let state else { return .notRunning }
    return state.pointee.schedule(event, of: cycle)
  }

  /// Begins a cycle without waiting for it, so that several nodes can render at once; ``finish(within:)``
  /// must follow before anything else is asked of this connection. Realtime: yes.
  ///
  /// - Returns: What ``finish(within:)`` will return, where that is known already; else `rendered`.
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

  /// Waits for the cycle that ``begin(frames:hostTime:input:)`` began. Realtime: yes, apart from the wait.
  ///
  /// - Parameter nanoseconds: The longest wait, counted from the beginning of the cycle; `nil`: as the mode
  ///   says.
  /// - Returns: What became of the cycle, however often it is asked.
  @_noLocks public func finish(within nanoseconds: Int64? = nil) -> RenderStatus {
    guard let state else { return phase.obstacle ?? .notInitialized }
    RealtimeSection.begin()
    let status = state.pointee.finish(within: nanoseconds)
    RealtimeSection.end()
    return status
  }

  /// One channel of the last cycle: the node's audio where the status was `rendered`, else silence.
  ///
  /// Valid until the next cycle begins or the connection is uninitialized. `nil` when it is not
  /// initialized. Realtime: yes.
  @_noLocks public func output(channel: Int) -> UnsafePointer<Float>? {
    guard let state else { return nil }
    return state.pointee.output(channel: channel)
  }

  /// The last cycle's audio, for another connection to work on, as ``output(channel:)`` of all channels: so
  /// nodes are chained. Without channels when it is not initialized. Realtime: yes.
  public var audio: AudioInput {
    @_noLocks get {
      guard let state else { return AudioInput() }
      return state.pointee.audio
    }
  }

  /// What the node sent in the last cycle: the MIDI of the keyboards that play the port, and of the unit.
  ///
  /// In order, with offsets within the cycle. What it sent in a cycle that was late comes with the next that
  /// is `rendered`, at offset 0. Nothing unless the status was `rendered`. Valid until the next cycle begins or
  /// the connection is uninitialized. Realtime: yes. Threads: the one that renders.
  public var receivedEvents: MIDICycle {
    @_noLocks get {
      guard let state else { return HostState.nothing }
      return state.pointee.received
    }
  }

  /// What was wrong with the last cycle although it was rendered. Realtime: yes. Threads: the one that renders.
  public var defects: CycleDefects {
    @_noLocks get {
      guard let state else { return CycleDefects() }
      return state.pointee.defects
    }
  }

  /// What the cycles since ``initialize(_:mode:priority:)`` were like. Threads: the one that renders.
  public var statistics: CycleStatistics {
    @_noLocks get {
      guard let state else { return CycleStatistics() }
      return state.pointee.statistics
    }
  }
}
