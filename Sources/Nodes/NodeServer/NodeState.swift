import LiveMIDI
import LocalSystem
import NodeProtocol
import RenderCore

/// The state of a port's render thread while a host has the port initialized.
///
/// Values read from the shared memory are not trusted.
///
/// Methods are `mutating` even if they change nothing: they are called through a pointer, and the compiler would copy the
/// whole struct for one that is not.
struct NodeState {
  private let cycle: SegmentCycle
  private let format: Format
  private let unit: any RenderUnit
  private let renderer: Renderer
  /// One pointer per output channel, to the shared memory.
  private let channels: UnsafeMutablePointer<UnsafeMutablePointer<Float>>
  /// The input channels, as passed to the unit.
  private let input: AudioInput
  /// One pointer per input channel, to the shared memory.
  private let inputs: UnsafeMutablePointer<UnsafePointer<Float>>
  /// Not zero when the thread must end.
  private let stopping: SharedWord
  /// Wakes the thread that performs the unit's deferred work.
  private let workSignal: DeferredWorkSignal
  private let counters: RenderCounters
  /// The counters in the shared memory.
  private let hostCounters: SegmentCounters
  /// Reports the unit's late notes and, offline, its progress.
  private let feedback: CycleFeedback
  /// Whether the thread has realtime priority. Only then does it move to the host's processor.
  private let isRealtime: Bool
  private var reader: EventReader
  private var transportReader: TransportReader
  /// The host's transport, for other threads.
  private let transportSnapshot: TransportSnapshot
  /// Adds live input from keyboards; `nil` offline, where only the host's events are played.
  private let live: UnsafeMutablePointer<LiveEventMerger>?
  /// The round trips that the host states; `nil` offline, where nobody waits for a sound.
  private var roundTrips: RoundTripCheck?
  /// Sends MIDI to the host.
  private var sender: MIDISender
  /// The host time of the previous cycle. Never decreases.
  private var hostTime = Int64.min
  /// The number of the last cycle.
  private var number: UInt32 = 0
  /// The processor to which the thread is pinned; negative for any.
  private var processor: Int32 = -1

  /// Creates the state, outside the render thread.
  ///
  /// - Parameters:
  ///   - stopping: Ends the thread, if not zero.
  ///   - isRealtime: Whether the thread has realtime priority.
  ///   - transport: Receives the host's transport.
  ///   - live: The input from keyboards; `nil` offline.
  ///   - roundTrips: Receives the round trips that the host states; `nil` offline.
  init(
    _ segment: Segment, _ unit: any RenderUnit, isOffline: Bool, isRealtime: Bool,
    stopping: SharedWord, _ workSignal: DeferredWorkSignal, _ counters: RenderCounters,
    _ transport: TransportSnapshot, live: UnsafeMutablePointer<LiveEventMerger>?,
    roundTrips: RecentRoundTrips?, in memory: RenderMemory
  ) {
    cycle = segment.cycle
    format = segment.layout.format
    self.unit = unit
    renderer = unit.renderer
    channels = memory.makeEach(format.outputChannels) { segment.output(channel: $0) }
    inputs = memory.makeEach(format.inputChannels) { UnsafePointer(segment.input(channel: $0)) }
    input = AudioInput(UnsafePointer(inputs), count: format.inputChannels)
    self.stopping = stopping
    self.workSignal = workSignal
    self.counters = counters
    hostCounters = segment.counters
    feedback = segment.counters.feedback(isOffline: isOffline)
    self.isRealtime = isRealtime
    reader = EventReader(segment, .toNode, in: memory)
    transportReader = TransportReader(segment, in: memory)
    transportSnapshot = transport
    self.live = live
    self.roundTrips = roundTrips.map { RoundTripCheck($0, since: MonotonicClock.now) }
    sender = MIDISender(segment, in: memory)
  }

  /// Renders cycles until the thread must end. Blocks only while it waits for a cycle or for the unit to be ready.
  @_noLocks mutating func run() {
    while awaitCycle() {
      RealtimeSection.begin()
      moveToHost()
      counters.begin()
      if var cycle = readCycle() {
        // Before the wait, so that the unit is ready for the notes of keyboards, too.
        mergeLiveInput(&cycle, MonotonicClock.now)
        waitUntilReady(for: &cycle)
        let begin = MonotonicClock.now
        roundTrips?.begin(self.cycle.roundTrip, at: begin)
        render(&cycle)
        let end = MonotonicClock.now
        roundTrips?.end(at: end)
        let deadline = Self.clamp(self.cycle.deadline)
        counters.add(nanoseconds: end - begin, isLate: deadline > 0 && end > deadline)
      } else {
        writeSilence()
      }
      RealtimeSection.end()
      answer()
    }
  }

  /// Renders cycles offline: the unit is fully prepared before each cycle. Realtime: no.
  mutating func runOffline() {
    while awaitCycle() {
      counters.begin()
      let begin = MonotonicClock.now
      feedback.advance()
      if var cycle = readCycle() {
        unit.prepare(for: cycle.midi)
        cycle.feedback.advance()
        render(&cycle)
      } else {
        writeSilence()
      }
      counters.add(nanoseconds: MonotonicClock.now - begin, isLate: false)
      answer()
    }
  }

  /// Waits until the unit is ready for a cycle, so that the cycle's notes start on their frames.
  ///
  /// A host that renders faster than real time may request notes before the deferred work for them is done. The wait
  /// uses at most half of the time that is left until the host's deadline; the other half remains for rendering. The
  /// unit counts the notes that are late nevertheless.
  @_noLocks private mutating func waitUntilReady(for cycle: inout RenderCycle) {
    if renderer.readiness == nil { return }
    let deadline = Self.clamp(self.cycle.deadline)
    if deadline <= 0 { return }
    if renderer.isReady(for: &cycle) { return }
    let now = MonotonicClock.now
    renderer.waitUntilReady(
      for: &cycle, workSignal, until: now + (deadline - now) / 2, unless: stopping)
  }

  /// Waits until the host requests a cycle.
  ///
  /// - Returns: `false` when the thread must end.
  @_noLocks private mutating func awaitCycle() -> Bool {
    while stopping.value == 0 {
      let posted = cycle.posted.value
      if posted != number {
        number = posted
        return true
      }
      cycle.posted.wait(while: posted, until: nil)
    }
    return false
  }

  /// Reads the requested cycle with its events and transports from the shared memory.
  ///
  /// - Returns: `nil` when the number of frames is 0 or exceeds the maximum of the format.
  @_noLocks private mutating func readCycle() -> RenderCycle? {
    let frames = Int(cycle.frames)
    guard frames >= 1, frames <= format.maximumFrames else {
      counters.countBadCycle()
      return nil
    }
    let position = Self.clamp(cycle.position)
    let events = reader.next(from: position, frames: frames)
    let transport = transportReader.next(frames: frames)
    transportSnapshot.write(transport)
    counters.set(
      malformed: reader.malformed + transportReader.malformed, late: reader.late)
    counters.add(frames: frames)
    sender.begin(frames: frames)
    silenceInvalidInput(frames: frames)
    hostTime = max(hostTime, Self.clamp(cycle.hostTime))
    return RenderCycle(
      midi: events, position: position, hostTime: hostTime,
      transport: transport, parameters: reader.parameters, input: input,
      output: UnsafePointer(channels), midiOutput: sender.output, feedback: feedback)
  }

  /// Replaces infinite and NaN input samples by 0, because they would spread through the unit's sums and filters.
  @_noLocks private mutating func silenceInvalidInput(frames: Int) {
    var invalid = 0
    for channel in 0..<format.inputChannels {
      // Mutation is sound: the node owns the shared memory until it answers the cycle.
      invalid += Sample.silenceInvalid(
        UnsafeMutablePointer(mutating: inputs[channel]), count: frames)
    }
    if invalid == 0 { return }
    let sum = hostCounters.invalidInput.value &+ UInt32(truncatingIfNeeded: invalid)
    hostCounters.invalidInput.store(sum)
  }

  /// Clamps a number to ±2⁶², so that a unit can add to it without overflow.
  @_noLocks private static func clamp(_ number: Int64) -> Int64 {
    max(-(1 << 62), min(1 << 62, number))
  }

  @_noLocks private mutating func render(_ cycle: inout RenderCycle) {
    if renderer.render(&cycle) { workSignal.wake() }
    sender.send(from: cycle.position)
    counters.set(droppedOutput: sender.refused)
  }

  /// Adds live input from keyboards to the cycle, and sends it to the host, which may record it.
  @_noLocks private mutating func mergeLiveInput(_ cycle: inout RenderCycle, _ now: Int64) {
    guard let live else { return }
    cycle.midi = live.pointee.merge(into: cycle, now: now)
    // The sender counts the events that do not fit.
    for event in live.pointee.thru { _ = cycle.midiOutput.pass(event, of: cycle.midi) }
  }

  /// Writes silence to all output channels, in answer to a cycle that cannot be rendered.
  @_noLocks private mutating func writeSilence() {
    for channel in 0..<format.outputChannels {
      channels[channel].update(repeating: 0, count: format.maximumFrames)
    }
  }

  @_noLocks private mutating func answer() {
    cycle.answered.store(number)
    cycle.answered.wake()
  }

  /// Moves the thread to the host's processor. The host sleeps while this thread works, and waking a thread on the
  /// processor where the other falls asleep takes a fifth of the time. The default scheduler does this by itself.
  @_noLocks private mutating func moveToHost() {
    let wanted = cycle.processor
    if !isRealtime || wanted == processor { return }
    processor = wanted
    SystemThread.pin(to: wanted)
  }
}
