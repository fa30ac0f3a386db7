import Dispatch
import LiveMIDI
import NodeProtocol
import RenderCore
import Threads

/// A port's render thread, with the memory it shares with the host and the unit it plays.
///
/// `@unchecked Sendable`: the state belongs to the render thread, which keeps this alive as long as it
/// runs; the words in it are atomic.
final class PortRenderer: @unchecked Sendable {
  let initialization: Initialization
  let unit: any RenderUnit
  let counters = RenderCounters()
  /// How the thread is scheduled. Written by it before ``start()`` returns.
  private(set) var scheduling = RenderScheduling.asHost
  /// Where the host's song is.
  let transport = TransportSnapshot()
  private let segment: Segment
  private let deferredWork: DeferredWorkThread
  /// `nil` offline.
  private let listener: LiveInputConsumer?
  private let state: UnsafeMutablePointer<NodeState>
  private let inputs: UnsafeMutablePointer<UnsafePointer<Float>>
  /// Stopping, ended.
  private let words: UnsafeMutablePointer<UInt32>
  private var thread: SystemThread?
  private let isScheduled = DispatchSemaphore(value: 0)

  init(
    _ initialization: Initialization, segment: Segment, unit: any RenderUnit, input: LiveInput,
    deferredWork: DeferredWorkThread
  ) {
    self.initialization = initialization
    self.segment = segment
    self.unit = unit
    self.deferredWork = deferredWork
    listener =
      initialization.isOffline
      ? nil
      : LiveInputConsumer(
        to: input, as: .host, sampleRate: initialization.sampleRate,
        host: EventCapacity(
          events: SegmentLayout.eventSlots,
          bytes: SegmentLayout.eventSlots * SegmentLayout.slotSize))
    words = .allocate(capacity: 2)
    words.initialize(repeating: 0, count: 2)
    let format = segment.layout.format
    let channels = UnsafeMutablePointer<UnsafeMutablePointer<Float>>.allocate(
      capacity: format.channels)
    for channel in 0..<format.channels {
      (channels + channel).initialize(to: segment.output(channel: channel))
    }
    inputs = .allocate(capacity: max(1, format.inputChannels))
    for channel in 0..<format.inputChannels {
      (inputs + channel).initialize(to: UnsafePointer(segment.input(channel: channel)))
    }
    state = .allocate(capacity: 1)
    state.initialize(
      to: NodeState(
        cycle: segment.cycle, format: format, renderer: unit.renderer, channels: channels,
        input: AudioInput(UnsafePointer(inputs), count: format.inputChannels), inputs: inputs,
        stopping: SharedWord(at: words), bell: deferredWork.bell, counters: counters,
        told: segment.counters,
        feedback: segment.counters.feedback(isOffline: initialization.isOffline),
        reader: EventReader(segment, .toNode), transportReader: TransportReader(segment),
        board: transport, live: listener?.events, sender: MIDISender(segment)))
    // Offline it is prepared before each cycle instead.
    if !initialization.isOffline {
      deferredWork.add(for: unit) { [unit] in unit.performDeferredWork() }
    }
  }

  deinit {
    deferredWork.remove(unit)
    state.pointee.reader.destroy()
    state.pointee.transportReader.destroy()
    transport.destroy()
    inputs.deallocate()
    state.pointee.sender.destroy()
    state.pointee.channels.deallocate()
    state.deinitialize(count: 1)
    state.deallocate()
    words.deallocate()
    counters.destroy()
  }

  /// Starts the thread, and waits until it has the priority that it is going to have.
  func start() throws(SystemError) {
    let context = Unmanaged.passRetained(self)
    do throws(SystemError) {
      thread = try SystemThread(
        name: "portative-node", context: context.toOpaque(), runRenderer)
    } catch {
      context.release()
      throw error
    }
    isScheduled.wait()
    listener?.begin()
  }

  /// Ends the thread. To be called once, by whoever started it.
  ///
  /// - Parameter seconds: How long to wait for it.
  /// - Returns: Whether it has ended, and with it its hold on this, so that the unit is freed elsewhere. A
  ///   unit that hangs keeps its thread and memory until it does not.
  func stop(within seconds: Double = 0.5) -> Bool {
    listener?.end()
    let stopping = SharedWord(at: words)
    let ended = SharedWord(at: words + 1)
    stopping.store(1)
    let limit = MonotonicClock.now + Int64(seconds * 1e9)
    while ended.value == 0, MonotonicClock.now < limit {
      // Again and again, for it may be just about to fall asleep.
      segment.cycle.posted.wake()
      ended.wait(while: 0, until: MonotonicClock.now + 1_000_000)
    }
    let hasEnded = ended.value != 0
    if hasEnded { thread?.join() } else { thread?.detach() }
    thread = nil
    return hasEnded
  }

  /// Samples that were infinite or NaN: of the unit, as its host has counted them, and of its input.
  var invalidSamples: (output: Int, input: Int) {
    (Int(segment.counters.invalidOutput.value), Int(segment.counters.invalidInput.value))
  }

  fileprivate func run() {
    scheduling = RenderScheduling(takenFor: initialization)
    state.pointee.isRealtime = scheduling.isRealtime
    isScheduled.signal()
    if initialization.isOffline { runOffline() } else { state.pointee.run() }
    let ended = SharedWord(at: words + 1)
    ended.store(1)
    ended.wake()
  }

  /// The same without haste: nothing that the unit might need is missing when a cycle begins.
  private func runOffline() {
    while state.pointee.awaitCycle() {
      counters.begin()
      let begin = MonotonicClock.now
      state.pointee.feedback.advance()
      if var cycle = state.pointee.take() {
        unit.prepare(for: cycle.midi)
        cycle.feedback.advance()
        state.pointee.render(&cycle)
      } else {
        state.pointee.clear()
      }
      counters.add(nanoseconds: MonotonicClock.now - begin)
      state.pointee.answer()
    }
  }
}

@c private func runRenderer(_ context: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
  guard let context else { return nil }
  let renderer = Unmanaged<PortRenderer>.fromOpaque(context).takeRetainedValue()
  withExtendedLifetime(renderer) { renderer.run() }
  return nil
}
