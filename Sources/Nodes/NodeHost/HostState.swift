import NodeProtocol
import RenderCore
import Threads

/// All that a host's render thread works on, for one connection while it is initialized.
///
/// Made and freed off the thread, in `HostState+Preparation.swift`. One cycle at a time is with the node:
/// the shared audio belongs to the node from ``post(frames:hostTime:input:together:)`` until it answers, however
/// late; the host asks for the next only then, so neither side ever reads what the other is writing.
struct HostState {
  let cycle: SegmentCycle
  let phase: AtomicConnectionState
  let format: Format
  /// One pointer per channel, to the shared memory.
  let channels: UnsafeMutablePointer<UnsafeMutablePointer<Float>>
  /// As long as a channel.
  let silence: UnsafeMutablePointer<Float>
  /// One pointer per channel of the last cycle's output: to ``channels`` or to ``silence``.
  let heard: UnsafeMutablePointer<UnsafePointer<Float>>
  /// One pointer per channel of input, to memory for who makes it in time.
  let pulled: UnsafeMutablePointer<UnsafeMutablePointer<Float>>
  /// One pointer per channel of input, to the shared memory.
  let inputs: UnsafeMutablePointer<UnsafeMutablePointer<Float>>
  /// What the node's parameters may be.
  let parameters: ParameterRanges
  /// The next cycle's transports.
  var transport: TransportList
  let transportWriter: TransportWriter
  let isOffline: Bool
  /// Offline, how many nanoseconds the node may take without getting on; `nil`: any number.
  let stallLimit: Int64?
  let board: DeadlineTable
  /// Where on the board; `nil` offline, or when there is no place.
  let place: Int?
  /// Late cycles running after which the connection is parked.
  let lateLimit: Int
  /// How long a render call waits, as a part of the cycle's length.
  let deadlineFraction: Double
  var writer: EventWriter
  var store: EventStore
  var reader: EventReader
  /// What the node counts, and what is counted for it.
  let counters: SegmentCounters
  /// What the node sent in the last cycle, in the reader's memory.
  private(set) var received = Self.nothing
  static var nothing: MIDICycle {
    @_noLocks get {
      MIDICycle(
        frames: 0, events: UnsafeBufferPointer(start: nil, count: 0),
        sysEx: UnsafeBufferPointer(start: nil, count: 0))
    }
  }
  var statistics = CycleStatistics()
  /// Of the last cycle.
  private(set) var defects = CycleDefects()
  /// The node's count of late notes, and of input that is no sound, at the end of the last cycle.
  private var lateNotes: UInt32 = 0
  private var invalidInput: UInt32 = 0

  /// The number of the cycle asked for last.
  var number: UInt32 = 0
  /// Whether the node still has that cycle.
  var isOutstanding = false
  /// What became of the last cycle; `nil` while its answer may be waited for.
  var outcome: RenderStatus? = .late
  /// Whether the audio of the last cycle is there.
  var isRendered = false
  var frames = 0
  /// When it was.
  var postTime: Int64 = 0
  /// How many nanoseconds it waits for the node unless it is told otherwise; `nil` offline.
  private var limit: Int64?
  /// The first frame of the cycle in progress, and of the next: frames asked for since the beginning.
  var position: Int64 = 0
  var nextPosition: Int64 = 0
  var lateRun = 0
  /// The one processor that this thread is kept on; negative: it may run on several.
  private var home = Self.unknown
  private static var unknown: Int32 { @_noLocks get { -2 } }

  /// Begins a cycle: hands over what is due, and lets the node begin.
  ///
  /// - Parameters:
  ///   - input: Copied. Channels that it lacks are silent.
  ///   - together: Whether this thread does nothing else until the node has answered.
  /// - Returns: The cycle's outcome; `nil` when the node is at it.
  @_noLocks mutating func post(
    frames: Int, hostTime: Int64?, input: AudioInput = AudioInput(), together: Bool
  ) -> RenderStatus? {
    let status = ask(frames: frames, hostTime: hostTime, input: input, together: together)
    // What was said of a cycle holds for no other.
    transport.removeAll()
    return status
  }

  @_noLocks private mutating func ask(
    frames: Int, hostTime: Int64?, input: AudioInput, together: Bool
  ) -> RenderStatus? {
    if home == Self.unknown { home = SystemThread.onlyProcessor }
    isRendered = false
    received = Self.nothing
    defects = CycleDefects()
    outcome = obstacle(frames: frames)
    if let outcome { return outcome }
    handOver(until: nextPosition)
    transportWriter.write(transport.points(frames: frames))
    copy(input, frames: frames)
    postTime = MonotonicClock.now
    cycle.frames = UInt32(frames)
    cycle.position = position
    cycle.hostTime = hostTime ?? postTime
    cycle.processor = together ? home : -1
    // Who begins several nodes has not said yet for how long it waits for this one.
    limit = ownLimit
    if let limit, together { cycle.deadline = postTime + limit } else { cycle.deadline = 0 }
    number &+= 1
    isOutstanding = true
    cycle.posted.store(number)
    cycle.posted.wake()
    return nil
  }

  /// Goes on by one cycle.
  ///
  /// - Returns: Why the node cannot be asked for it.
  @_noLocks private mutating func obstacle(frames: Int) -> RenderStatus? {
    guard frames >= 1, frames <= format.maximumFrames else { return .badFrameCount }
    self.frames = frames
    position = nextPosition
    nextPosition += Int64(frames)
    if let status = phase.obstacle { return status }
    // An answer that has come meanwhile is that of a cycle given up long ago.
    return isOutstanding && cycle.answered.value != number ? countLate() : nil
  }

  /// Ends a cycle: waits for the node.
  ///
  /// - Parameter limit: Nanoseconds after the post; `nil`: as the mode says.
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

  @_noLocks private mutating func awaitAnswer(within limit: Int64?) -> RenderStatus {
    guard let limit else { return awaitAnswerOffline() }
    let (sum, isFar) = postTime.addingReportingOverflow(limit)
    let deadline = isFar ? .max : sum
    // Of no limit at all, the kernel says at once that it is over.
    guard let place, limit > 0 else { return awaitAnswer(until: deadline, timer: deadline) }
    board.set(deadline, limit: limit, at: place)
    let status = awaitAnswer(until: deadline, timer: nil)
    board.clear(place)
    return status
  }

  /// - Parameters:
  ///   - deadline: When the node is late.
  ///   - timer: When the kernel ends the wait; `nil` where that is left to the ``DeadlineKeeper``.
  @_noLocks mutating func awaitAnswer(until deadline: Int64?, timer: Int64?) -> RenderStatus {
    var isInTime = true
    while true {
      let answer = cycle.answered.value
      if answer == number { return done() }
      if let status = phase.obstacle { return status }
      if !isInTime { return countLate() }
      cycle.answered.wait(while: answer, until: timer)
      // The clock decides: a word that never stands still would end every wait before its time.
      if let deadline { isInTime = MonotonicClock.now < deadline }
    }
  }

  /// Waits as long as the node gets on with the cycle.
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
        // An offline host has no use for a song with a hole in it: the first is too many.
        lateRun = lateLimit
        return countLate()
      }
      // Whoever watches the socket wakes this thread now and then as well.
      cycle.answered.wait(while: answer, until: deadline)
    }
  }

  /// A part of the cycle; `nil` offline.
  private var ownLimit: Int64? {
    @_noLocks get {
      isOffline ? nil : Int64(Double(frames) * deadlineFraction * 1e9 / Double(format.sampleRate))
    }
  }

  @_noLocks private mutating func done() -> RenderStatus {
    isOutstanding = false
    isRendered = true
    lateRun = 0
    statistics.cycles += 1
    statistics.roundTrips.add(MonotonicClock.now - postTime)
    findDefects()
    receive()
    return .rendered
  }

  /// Makes silence of what is no sound, while nobody else has the memory, and reads what the node counts.
  @_noLocks private mutating func findDefects() {
    for channel in 0..<format.channels {
      defects.invalidSamples += Sample.silenceInvalid(channels[channel], count: frames)
    }
    if defects.invalidSamples > 0 {
      statistics.invalidSamples += defects.invalidSamples
      counters.invalidOutput.store(UInt32(truncatingIfNeeded: statistics.invalidSamples))
    }
    let late = counters.lateNotes.value
    if late != lateNotes {
      defects.lateNotes = Int(late &- lateNotes)
      statistics.lateNotes += defects.lateNotes
      lateNotes = late
    }
    let invalid = counters.invalidInput.value
    if invalid != invalidInput {
      defects.invalidInputSamples = Int(invalid &- invalidInput)
      statistics.invalidInputSamples += defects.invalidInputSamples
      invalidInput = invalid
    }
  }

  /// Takes what the node has sent, in this cycle and in late ones before it.
  @_noLocks private mutating func receive() {
    received = reader.next(from: position, frames: frames)
    statistics.receivedEvents += received.events.count
    statistics.belatedEvents = reader.belated
    statistics.malformedEvents = reader.malformed
    statistics.refusedEvents = Int(counters.refusedEvents.value)
  }

  @_noLocks private mutating func countLate() -> RenderStatus {
    statistics.cycles += 1
    statistics.lateCycles += 1
    lateRun += 1
    if lateRun >= lateLimit { phase.park(.late) }
    return .late
  }

  @_noLocks func output(channel: Int) -> UnsafePointer<Float> {
    precondition(channel >= 0 && channel < format.channels)
    return UnsafePointer(isRendered ? channels[channel] : silence)
  }

  /// The last cycle's audio, or silence.
  var audio: AudioInput {
    @_noLocks get {
      for channel in 0..<format.channels { heard[channel] = output(channel: channel) }
      return AudioInput(UnsafePointer(heard), count: format.channels)
    }
  }

  @_noLocks private func copy(_ input: AudioInput, frames: Int) {
    for channel in 0..<format.inputChannels {
      if channel < input.count {
        UnsafeMutableRawPointer(inputs[channel]).copyMemory(
          from: input[channel], byteCount: frames * MemoryLayout<Float>.stride)
      } else {
        inputs[channel].update(repeating: 0, count: frames)
      }
    }
  }

  /// Copies the last cycle's audio, or silence.
  @_noLocks func copyOutput(frames: Int, to output: UnsafePointer<UnsafeMutablePointer<Float>>) {
    if frames < 1 { return }
    for channel in 0..<format.channels {
      if isRendered {
        UnsafeMutableRawPointer(output[channel]).copyMemory(
          from: channels[channel], byteCount: frames * MemoryLayout<Float>.stride)
      } else {
        output[channel].update(repeating: 0, count: frames)
      }
    }
  }

  /// Puts the events that act before `end` into the FIFO.
  @_noLocks private mutating func handOver(until end: Int64) {
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

/// What a connection's cycles were like since it was initialized.
public struct CycleStatistics: Sendable, BitwiseCopyable {
  public internal(set) var cycles = 0
  /// Cycles that ended in silence because the node did not answer in time.
  public internal(set) var lateCycles = 0
  /// From handing over a cycle to having its audio; late cycles are not among them.
  public internal(set) var roundTrips = RoundTrips()
  /// Events that the node has sent.
  public internal(set) var receivedEvents = 0
  /// Those of them that came in a cycle that was late, and stand at the beginning of the next.
  public internal(set) var belatedEvents = 0
  /// Events that were none, and were dropped.
  public internal(set) var malformedEvents = 0
  /// Events that the node could not send because there was no room, as far as it is to be believed.
  public internal(set) var refusedEvents = 0
  /// Notes that did not begin on their frame, for the node was not ready for so many: as far as it is to be
  /// believed. An offline host has none.
  public internal(set) var lateNotes = 0
  /// Samples of the node's audio that were infinite or NaN, and were replaced by 0.
  public internal(set) var invalidSamples = 0
  /// Samples of the host's own input that were, and that the node replaced.
  public internal(set) var invalidInputSamples = 0

  @_noLocks public init() {}

  /// Adds those of other cycles, as when a connection was initialized again.
  public mutating func add(_ other: CycleStatistics) {
    cycles += other.cycles
    lateCycles += other.lateCycles
    roundTrips.add(other.roundTrips)
    receivedEvents += other.receivedEvents
    belatedEvents += other.belatedEvents
    malformedEvents += other.malformedEvents
    refusedEvents += other.refusedEvents
    lateNotes += other.lateNotes
    invalidSamples += other.invalidSamples
    invalidInputSamples += other.invalidInputSamples
  }
}
