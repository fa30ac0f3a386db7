import LocalSystem
import NodeProtocol
import RenderCore

/// The state of a host's render thread for one connection while it is initialized.
///
/// Created outside the render thread. The node owns the shared audio from ``post(frames:hostTime:input:together:)`` until it answers, however late. The host requests the next cycle only
/// then, so neither process reads memory that the other is writing.
///
/// Methods of the render thread are `mutating` even if they change nothing: they are called through a pointer, and the
/// compiler would copy the whole struct for one that is not.
struct HostState {
  private let cycle: SegmentCycle
  private let phase: AtomicConnectionState
  let format: Format
  /// One pointer per output channel, to the shared memory.
  private let channels: UnsafeMutablePointer<UnsafeMutablePointer<Float>>
  /// A silent channel of the format's maximum length.
  private let silence: UnsafeMutablePointer<Float>
  /// One pointer per output channel of the last cycle: to ``channels`` or to ``silence``.
  private let outputs: UnsafeMutablePointer<UnsafePointer<Float>>
  /// One pointer per input channel, to scratch buffers for the `render` that pulls its input.
  let pulled: UnsafeMutablePointer<UnsafeMutablePointer<Float>>
  /// One pointer per input channel, to the shared memory.
  private let inputs: UnsafeMutablePointer<UnsafeMutablePointer<Float>>
  /// The ranges of the node's parameters.
  private let parameters: ParameterRanges
  /// The transports of the next cycle.
  private var transport: TransportList
  private let transportWriter: TransportWriter
  private let isOffline: Bool
  /// Offline, the longest wait without progress in nanoseconds; `nil` for no limit.
  private let stallLimit: Int64?
  /// The deadline of the current wait; `nil` offline, or without the ``DeadlineTimer``.
  private let waitDeadline: WaitDeadline?
  /// The number of consecutive late cycles after which the connection is parked.
  private let lateLimit: Int
  /// The longest wait of a render call, as a fraction of the cycle's duration.
  private let deadlineFraction: Double
  private var writer: EventWriter
  private var store: EventStore
  private var reader: EventReader
  /// The counters in the shared memory.
  private let counters: SegmentCounters
  /// The events that the node sent in the last cycle, in the reader's memory.
  var received = Self.nothing
  static var nothing: MIDICycle {
    @_noLocks get {
      MIDICycle(
        frames: 0, events: UnsafeBufferPointer(start: nil, count: 0),
        sysEx: UnsafeBufferPointer(start: nil, count: 0))
    }
  }
  /// Not stored here, because its histogram is long.
  let statistics: UnsafeMutablePointer<CycleStatistics>
  /// The defects of the last cycle.
  var defects = CycleDefects()
  /// The values of the node's counters `lateNotes` and `invalidInput` at the end of the last cycle.
  private var lateNotes: UInt32 = 0
  private var invalidInput: UInt32 = 0

  /// The number of the cycle that was requested last.
  var number: UInt32 = 0
  /// Whether the node has not answered that cycle yet.
  private var isOutstanding = false
  /// The status of the last cycle; `nil` while its answer may still arrive in time.
  private var outcome: RenderStatus? = .late
  /// Whether the audio of the last cycle was rendered.
  private var isRendered = false
  var frames = 0
  /// The time at which the last cycle was requested, in nanoseconds of ``MonotonicClock``.
  private var postTime: Int64 = 0
  /// The round trip of the last cycle in nanoseconds, for the node; 0 if it was not in time.
  private var roundTrip: UInt32 = 0
  /// The limit of the wait for the last cycle in nanoseconds, unless the call has another; `nil` offline.
  private var limit: Int64?
  /// The positions of the first frames of the current and the next cycle in the host's stream, which starts at 0.
  private var position: Int64 = 0
  private var nextPosition: Int64 = 0
  /// The number of consecutive late cycles.
  private var lateRun = 0
  /// The number of late cycles since the last request.
  private var stall = 0
  /// The processor to which the thread is pinned; negative if it may run on several.
  private var processor = Self.unknown
  private static var unknown: Int32 { @_noLocks get { -2 } }
}

// The node's answer.
extension HostState {
  /// Waits until the node has answered the cycle.
  ///
  /// - Parameter limit: The longest wait in nanoseconds after ``postTime``; `nil` for the limit of the mode.
  @_noLocks mutating func finish(within limit: Int64?) -> RenderStatus {
    if let outcome { return outcome }
    let status: RenderStatus
    if let limit {
      status = awaitAnswer(within: max(0, limit))
    } else {
      status = awaitAnswer(within: self.limit)
    }
    outcome = status
    return status
  }

  @_noLocks mutating func awaitAnswer(within limit: Int64?) -> RenderStatus {
    phase.beginWait()
    defer { phase.endWait() }
    guard let limit else { return awaitAnswerOffline() }
    let (sum, overflows) = postTime.addingReportingOverflow(limit)
    let deadline = overflows ? .max : sum
    // With a limit of 0, the kernel's timeout ends the wait immediately.
    guard let waitDeadline, limit > 0 else {
      return awaitAnswer(until: deadline, timer: deadline)
    }
    waitDeadline.set(deadline, limit: limit)
    let status = awaitAnswer(until: deadline, timer: nil)
    waitDeadline.clear()
    return status
  }

  /// Waits until the node has answered the cycle.
  ///
  /// - Parameters:
  ///   - deadline: The time after which the cycle is late; `nil` for no limit.
  ///   - timer: The time at which the kernel ends the wait; `nil` if the ``DeadlineTimer`` does.
  @_noLocks mutating func awaitAnswer(until deadline: Int64?, timer: Int64?) -> RenderStatus {
    var isInTime = true
    while true {
      let answer = cycle.answered.value
      if answer == number { return done() }
      if let status = phase.obstacle { return status }
      if !isInTime { return countLate() }
      cycle.answered.wait(while: answer, until: timer)
      // The clock decides whether the cycle is late, because a word that changes continuously would end every wait
      // early. It is not read if the node has answered, to save time.
      if let deadline, cycle.answered.value != number { isInTime = MonotonicClock.now < deadline }
    }
  }

  /// Waits as long as the node makes progress with the cycle.
  @_noLocks private mutating func awaitAnswerOffline() -> RenderStatus {
    guard let stallLimit else { return awaitAnswer(until: nil, timer: nil) }
    var progress = counters.progress.value
    var deadline = postTime + stallLimit
    while true {
      let answer = cycle.answered.value
      if answer == number { return done() }
      if let status = phase.obstacle { return status }
      let (latest, now) = (counters.progress.value, MonotonicClock.now)
      if latest != progress {
        progress = latest
        deadline = now + stallLimit
      } else if now >= deadline {
        // Offline, the first late cycle parks the connection, because a rendered song with a gap is unusable.
        lateRun = lateLimit
        return countLate()
      }
      // The thread that reads the socket also wakes this thread regularly, so the time is checked above.
      cycle.answered.wait(while: answer, until: deadline)
    }
  }

  @_noLocks private mutating func done() -> RenderStatus {
    isOutstanding = false
    isRendered = true
    lateRun = 0
    statistics.pointee.cycles += 1
    let nanoseconds = MonotonicClock.now - postTime
    statistics.pointee.roundTrips.add(nanoseconds)
    roundTrip = UInt32(clamping: nanoseconds)
    findDefects()
    receive()
    return .rendered
  }

  /// Replaces infinite and NaN samples by 0 while the host owns the shared memory, and reads the node's counters.
  @_noLocks private mutating func findDefects() {
    for channel in 0..<format.outputChannels {
      defects.invalidSamples += Sample.silenceInvalid(channels[channel], count: frames)
    }
    if defects.invalidSamples > 0 {
      statistics.pointee.invalidSamples += defects.invalidSamples
      counters.invalidOutput.store(UInt32(truncatingIfNeeded: statistics.pointee.invalidSamples))
    }
    let late = counters.lateNotes.value
    if late != lateNotes {
      defects.lateNotes = Int(late &- lateNotes)
      statistics.pointee.lateNotes += defects.lateNotes
      lateNotes = late
    }
    let invalid = counters.invalidInput.value
    if invalid != invalidInput {
      defects.invalidInputSamples = Int(invalid &- invalidInput)
      statistics.pointee.invalidInputSamples += defects.invalidInputSamples
      invalidInput = invalid
    }
  }

  /// Reads the events that the node has sent in this cycle and in late cycles before it.
  @_noLocks private mutating func receive() {
    received = reader.next(from: position, frames: frames)
    statistics.pointee.receivedEvents += received.events.count
    statistics.pointee.lateEvents = reader.late
    statistics.pointee.malformedEvents = reader.malformed
    statistics.pointee.refusedEvents = Int(counters.refusedEvents.value)
  }

  @_noLocks private mutating func countLate() -> RenderStatus {
    statistics.pointee.cycles += 1
    statistics.pointee.lateCycles += 1
    lateRun += 1
    stall += 1
    statistics.pointee.longestStall = max(statistics.pointee.longestStall, stall)
    if lateRun >= lateLimit { phase.park(.late) }
    return .late
  }
}

// The audio of the last cycle.
extension HostState {
  @_noLocks mutating func output(channel: Int) -> UnsafePointer<Float> {
    precondition(channel >= 0 && channel < format.outputChannels)
    return UnsafePointer(isRendered ? channels[channel] : silence)
  }

  /// The last cycle's audio, or silence.
  var audio: AudioInput {
    @_noLocks mutating get {
      for channel in 0..<format.outputChannels { outputs[channel] = output(channel: channel) }
      return AudioInput(UnsafePointer(outputs), count: format.outputChannels)
    }
  }

  /// Copies the last cycle's audio, or silence.
  @_noLocks mutating func copyOutput(
    frames: Int, to output: UnsafePointer<UnsafeMutablePointer<Float>>
  ) {
    if frames < 1 { return }
    for channel in 0..<format.outputChannels {
      if isRendered {
        UnsafeMutableRawPointer(output[channel]).copyMemory(
          from: channels[channel], byteCount: frames * MemoryLayout<Float>.stride)
      } else {
        output[channel].update(repeating: 0, count: frames)
      }
    }
  }
}

// Creation, which must not happen on the render thread.
extension HostState {
  /// - Parameters:
  ///   - priority: The SCHED_FIFO priority of the render thread; 0 for the default scheduler.
  ///   - memory: Must be released before the segment is.
  init(
    _ segment: Segment, phase: AtomicConnectionState, mode: RenderMode, priority: Int,
    lateLimit: Int,
    deadlineFraction: Double = 0.9, stallLimit: Duration? = .seconds(10),
    parameters: ParameterTree = ParameterTree(), in memory: RenderMemory
  ) {
    cycle = segment.cycle
    self.phase = phase
    let format = segment.layout.format
    self.format = format
    isOffline = mode == .offline
    self.stallLimit = stallLimit.map { Int64(max(0, min($0 / .nanoseconds(1), 1e18))) }
    let waitDeadline =
      isOffline ? nil : DeadlineTimer.shared.add(segment.cycle.answered, priority: priority)
    self.waitDeadline = waitDeadline
    if let waitDeadline { memory.onRelease { DeadlineTimer.shared.remove(waitDeadline) } }
    self.lateLimit = lateLimit
    self.deadlineFraction = deadlineFraction
    writer = EventWriter(segment, .toNode)
    store = EventStore(in: memory)
    reader = EventReader(segment, .toHost, in: memory)
    counters = segment.counters
    statistics = memory.make(CycleStatistics())
    channels = memory.makeEach(format.outputChannels) { segment.output(channel: $0) }
    silence = memory.make(format.maximumFrames, of: 0)
    outputs = memory.make(format.outputChannels, of: UnsafePointer(silence))
    inputs = memory.makeEach(format.inputChannels) { segment.input(channel: $0) }
    pulled = memory.makeEach(format.inputChannels) { _ in memory.make(format.maximumFrames, of: 0) }
    self.parameters = ParameterRanges(parameters, in: memory)
    transport = TransportList(in: memory)
    transportWriter = TransportWriter(segment)
  }
}

// The request of a cycle.
extension HostState {
  /// Requests a cycle: writes the due events, the transports and the input, and wakes the node.
  ///
  /// - Parameters:
  ///   - frames: The number of frames: 1 to the format's maximum.
  ///   - hostTime: The time at which the first frame is audible, in nanoseconds of ``MonotonicClock``; `nil` for now.
  ///   - input: The input. Copied; missing channels are silent.
  ///   - together: Whether this thread only waits until the node has answered.
  ///   - limit: The longest wait in nanoseconds, except offline; `nil` for a fraction of the cycle's duration.
  /// - Returns: The status of the cycle if it could not be requested; `nil` while the node renders it.
  @_noLocks mutating func post(
    frames: Int, hostTime: Int64?, input: AudioInput = AudioInput(), together: Bool,
    within limit: Int64? = nil
  ) -> RenderStatus? {
    let status = request(
      frames: frames, hostTime: hostTime, input: input, together: together, within: limit)
    // The transports apply only to this cycle, even if it could not be requested.
    transport.removeAll()
    return status
  }

  @_noLocks private mutating func request(
    frames: Int, hostTime: Int64?, input: AudioInput, together: Bool, within limit: Int64?
  ) -> RenderStatus? {
    if processor == Self.unknown { processor = SystemThread.pinnedProcessor }
    isRendered = false
    received = Self.nothing
    defects = CycleDefects()
    outcome = obstacle(frames: frames)
    if let outcome { return outcome }
    writeEvents(before: nextPosition)
    transportWriter.write(transport.points(frames: frames))
    copy(input, frames: frames)
    postTime = MonotonicClock.now
    cycle.frames = UInt32(frames)
    cycle.position = position
    cycle.hostTime = hostTime ?? postTime
    cycle.processor = together ? processor : -1
    cycle.roundTrip = roundTrip
    roundTrip = 0
    // A host that begins several nodes has not set the limit for this one yet, so the node gets no deadline.
    self.limit = isOffline ? nil : limit ?? defaultLimit
    if let limit = self.limit, together {
      cycle.deadline = postTime + limit
    } else {
      cycle.deadline = 0
    }
    number &+= 1
    isOutstanding = true
    stall = 0
    cycle.posted.store(number)
    cycle.posted.wake()
    return nil
  }

  /// Advances the position by one cycle.
  ///
  /// - Returns: The status if the cycle cannot be requested; otherwise `nil`.
  @_noLocks private mutating func obstacle(frames: Int) -> RenderStatus? {
    guard frames >= 1, frames <= format.maximumFrames else { return .badFrameCount }
    self.frames = frames
    position = nextPosition
    nextPosition += Int64(frames)
    if let status = phase.obstacle {
      statistics.pointee.absentCycles += 1
      return status
    }
    // While a cycle is outstanding, no other is requested. Its answer only ends that state: the cycle has timed out.
    return isOutstanding && cycle.answered.value != number ? countLate() : nil
  }

  /// The limit of the wait in nanoseconds, as a fraction of the cycle's duration.
  private var defaultLimit: Int64 {
    @_noLocks mutating get {
      Int64(Double(frames) * deadlineFraction * 1e9 / Double(format.sampleRate))
    }
  }

  @_noLocks private mutating func copy(_ input: AudioInput, frames: Int) {
    for channel in 0..<format.inputChannels {
      if channel < input.count {
        UnsafeMutableRawPointer(inputs[channel]).copyMemory(
          from: input[channel], byteCount: frames * MemoryLayout<Float>.stride)
      } else {
        inputs[channel].update(repeating: 0, count: frames)
      }
    }
  }

  /// Writes the events that act before `end` to the FIFO.
  @_noLocks private mutating func writeEvents(before end: Int64) {
    while let event = store.first, event.frame < end {
      let isWritten =
        switch event.content {
        case .channel(let message):
          writer.write(message, at: event.frame)
        case .system(let message):
          writer.write(message, at: event.frame)
        case .sysEx(let message):
          store.sysEx.write(message, to: &writer, at: event.frame)
        case .parameter(let change):
          writer.write(change, at: event.frame)
        }
      if !isWritten { break }
      store.removeFirst()
    }
    writer.publish()
  }
}

extension HostState {
  @_noLocks mutating func schedule(_ message: ChannelMessage, at offset: Int) -> ScheduleStatus {
    store.insert(message, at: frame(at: offset)) ? .accepted : .full
  }

  @_noLocks mutating func schedule(_ message: SystemMessage, at offset: Int) -> ScheduleStatus {
    store.insert(message, at: frame(at: offset)) ? .accepted : .full
  }

  @_noLocks mutating func schedule(
    parameter index: Int, to value: Float, over frames: Int, at offset: Int
  ) -> ScheduleStatus {
    if let obstacle = parameters.obstacle(index, value) { return obstacle }
    let change = ParameterChange(
      offset: 0, index: UInt32(index), value: value, ramp: UInt32(clamping: max(0, frames)))
    return store.insert(change, at: frame(at: offset)) ? .accepted : .full
  }

  @_noLocks mutating func setTransport(_ transport: Transport, at offset: Int) -> ScheduleStatus {
    self.transport.insert(transport, at: UInt32(clamping: max(0, offset))) ? .accepted : .full
  }

  @_noLocks mutating func schedule(
    bytes: UnsafeBufferPointer<UInt8>, at offset: Int
  ) -> ScheduleStatus {
    guard let message = MIDIMessage(bytes) else { return .malformed }
    return schedule(message, at: offset)
  }

  @_noLocks mutating func schedule(_ message: MIDIMessage, at offset: Int) -> ScheduleStatus {
    switch message {
    case .channel(let message): schedule(message, at: offset)
    case .system(let message): schedule(message, at: offset)
    case .sysEx(let inner): schedule(inner: inner, at: offset)
    }
  }

  @_noLocks mutating func schedule(_ event: MIDIEvent, of cycle: MIDICycle) -> ScheduleStatus {
    let offset = Int(event.offset)
    switch event.content {
    case .channel(let message): return schedule(message, at: offset)
    case .system(let message): return schedule(message, at: offset)
    case .sysEx(let start, let count):
      let bytes = cycle.sysEx[Int(start)..<Int(start) + Int(count)]
      return schedule(inner: UnsafeBufferPointer(rebasing: bytes), at: offset)
    }
  }

  /// - Parameter inner: The bytes without F0 and F7.
  @_noLocks private mutating func schedule(
    inner: UnsafeBufferPointer<UInt8>, at offset: Int
  ) -> ScheduleStatus {
    var all: UInt8 = 0
    for i in 0..<inner.count { all |= inner[i] }
    if all >= 0x80 { return .malformed }
    if inner.count > SegmentLayout.longestSysEx { return .tooLong }
    return store.insert(sysEx: inner, at: frame(at: offset)) ? .accepted : .full
  }

  /// Returns the frame in the host's stream at an offset from the start of the next cycle; not before that start.
  @_noLocks private func frame(at offset: Int) -> Int64 {
    let (frame, overflows) = nextPosition.addingReportingOverflow(Int64(offset))
    return overflows ? .max : max(frame, nextPosition)
  }
}

extension HostState {
  /// The last cycle's audio, with all further pairs of channels added to the first pair; or silence.
  ///
  /// Changes the output, so it must be called once per cycle. The format must have an even number of output channels.
  @_noLocks mutating func mixToStereo() -> AudioInput {
    for channel in 2..<max(2, format.outputChannels) where isRendered {
      let (source, target) = (channels[channel], channels[channel % 2])
      for frame in 0..<frames { target[frame] += source[frame] }
    }
    let audio = audio
    guard let channels = audio.channels else { return audio }
    return AudioInput(channels, count: min(2, audio.count))
  }
}
