import LiveMIDI
import NodeProtocol
import RenderCore
import Threads

/// All that a port's render thread works on while a host has it initialized.
///
/// Made and freed off the thread, in ``PortRenderer``. Everything read from the shared memory may be
/// nonsense; nothing here believes it.
struct NodeState {
  let cycle: SegmentCycle
  let format: Format
  let renderer: Renderer
  /// One pointer per channel, to the shared memory.
  let channels: UnsafeMutablePointer<UnsafeMutablePointer<Float>>
  /// What the host gives to work on: the memory of its channels, as the unit and as this thread see it.
  let input: AudioInput
  let inputs: UnsafeMutablePointer<UnsafePointer<Float>>
  /// Not zero when the thread is to end.
  let stopping: SharedWord
  /// Rung when the unit wants to be tended.
  let bell: DeferredWorkSignal
  let counters: RenderCounters
  /// What the host is told.
  let told: SegmentCounters
  /// Offline, what says that the unit gets on.
  let feedback: CycleFeedback
  /// Whether it may be worth moving to the host's processor.
  var isRealtime = false
  var reader: EventReader
  var transportReader: TransportReader
  /// Where the host's song is, for other threads.
  let board: TransportSnapshot
  /// What keyboards play meanwhile; `nil` offline, where nothing but the host's events belongs into the
  /// sound.
  let live: UnsafeMutablePointer<LiveEventMerger>?
  /// What goes to the host besides audio.
  var sender: MIDISender
  /// That of the cycle before: it never goes back.
  var hostTime = Int64.min
  /// The number of the cycle done last.
  var number: UInt32 = 0
  /// Where the thread was told to stay; negative: anywhere.
  var processor: Int32 = -1

  /// Renders cycles until the thread is to end. The wait is the only thing that blocks.
  @_noLocks mutating func run() {
    while awaitCycle() {
      RealtimeSection.begin()
      moveToHost()
      counters.begin()
      if var cycle = take() {
        awaitSupplies(for: &cycle)
        let begin = MonotonicClock.now
        render(&cycle)
        counters.add(nanoseconds: MonotonicClock.now - begin)
      } else {
        clear()
      }
      RealtimeSection.end()
      answer()
    }
  }

  /// Goes on waiting until all is there that a cycle needs, so that its notes begin on their frames.
  ///
  /// A host that renders faster than real time asks for notes sooner than an ordinary thread can get ready for
  /// them, and has the time: half of what is left until its deadline is taken for it, and half kept for rendering.
  /// Where that is not enough, the unit counts the notes that are late.
  @_noLocks private func awaitSupplies(for cycle: inout RenderCycle) {
    if renderer.readiness == nil { return }
    let deadline = Self.tame(self.cycle.deadline)
    if deadline <= 0 { return }
    if renderer.isReady(for: &cycle) { return }
    let now = MonotonicClock.now
    let limit = now + (deadline - now) / 2
    RealtimeSection.end()
    while stopping.value == 0, MonotonicClock.now < limit {
      let passes = bell.countPasses()
      if renderer.isReady(for: &cycle) { break }
      bell.ring()
      bell.awaitPass(after: passes, until: limit)
    }
    RealtimeSection.begin()
  }

  /// Waits until the host asks for a cycle.
  ///
  /// - Returns: `false` when the thread is to end.
  @_noLocks mutating func awaitCycle() -> Bool {
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

  /// Takes the cycle's events.
  ///
  /// - Returns: `nil` when the host asks for more frames than were agreed on, or for none.
  @_noLocks mutating func take() -> RenderCycle? {
    let frames = Int(cycle.frames)
    guard frames >= 1, frames <= format.maximumFrames else {
      counters.countBadCycle()
      return nil
    }
    let position = Self.tame(cycle.position)
    let taken = reader.next(from: position, frames: frames)
    let transport = transportReader.next(frames: frames)
    board.write(transport)
    counters.set(
      malformed: reader.malformed + transportReader.malformed, belated: reader.belated)
    counters.add(frames: frames)
    sender.begin(frames: frames)
    silenceInvalidInput(frames: frames)
    hostTime = max(hostTime, Self.tame(cycle.hostTime))
    return RenderCycle(
      midi: taken, position: position, hostTime: hostTime,
      transport: transport, parameters: reader.parameters, input: input,
      output: UnsafePointer(channels), midiOutput: sender.output, feedback: feedback)
  }

  /// Input that is infinite or NaN would spread through whatever the unit adds it to.
  @_noLocks private func silenceInvalidInput(frames: Int) {
    var invalid = 0
    for channel in 0..<format.inputChannels {
      // The memory is the segment's, and this side's until the cycle is answered.
      invalid += Sample.silenceInvalid(
        UnsafeMutablePointer(mutating: inputs[channel]), count: frames)
    }
    if invalid == 0 { return }
    let sum = told.invalidInput.value &+ UInt32(truncatingIfNeeded: invalid)
    told.invalidInput.store(sum)
  }

  /// Keeps a number within a range that a unit may add to without overflow.
  @_noLocks private static func tame(_ number: Int64) -> Int64 {
    max(-(1 << 62), min(1 << 62, number))
  }

  @_noLocks mutating func render(_ cycle: inout RenderCycle) {
    hearKeyboards(&cycle)
    if renderer.render(&cycle) { bell.ring() }
    sender.send(from: cycle.position)
    counters.set(unsent: sender.refused)
  }

  /// Adds what keyboards play, and passes it on to the host, which may want to record it.
  @_noLocks private mutating func hearKeyboards(_ cycle: inout RenderCycle) {
    guard let live else { return }
    cycle.midi = live.pointee.merge(into: cycle, now: MonotonicClock.now)
    // What is refused for want of room is counted by the sender.
    for event in live.pointee.thru { _ = cycle.midiOutput.pass(event, of: cycle.midi) }
  }

  /// Silence in answer to a cycle that cannot be rendered.
  @_noLocks func clear() {
    for channel in 0..<format.channels {
      channels[channel].update(repeating: 0, count: format.maximumFrames)
    }
  }

  @_noLocks func answer() {
    cycle.answered.store(number)
    cycle.answered.wake()
  }

  /// Follows the host to its processor: it sleeps while this thread works, and a thread that wakes where
  /// the other falls asleep is awake in a fifth of the time. The ordinary scheduler does so by itself.
  @_noLocks mutating func moveToHost() {
    let wanted = cycle.processor
    if !isRealtime || wanted == processor { return }
    processor = wanted
    SystemThread.stay(on: wanted)
  }
}
