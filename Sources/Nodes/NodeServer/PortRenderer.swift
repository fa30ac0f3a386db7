import Dispatch
import LiveMIDI
import LocalSystem
import NodeProtocol
import RenderCore

/// A port's render thread, with the memory it shares with the host and the unit it renders.
///
/// `@unchecked Sendable`: after the creation, `memory` is used only by the render thread, which retains this object while it
/// runs; `flags` are atomic.
final class PortRenderer: @unchecked Sendable {
  let initialization: InitializePort
  let unit: any RenderUnit
  let counters = RenderCounters()
  /// The scheduling of the thread, which writes it before ``start()`` returns.
  private(set) var scheduling = RenderScheduling.asHost
  /// The host's transport.
  let transport: TransportSnapshot
  /// The round trips of the host; none offline.
  private let roundTrips: RecentRoundTrips?
  private let segment: Segment
  private let deferredWork: DeferredWorkThread
  /// Receives live input from keyboards; `nil` offline.
  private let liveInput: LiveInputConsumer?
  /// The memory of the render thread.
  private let memory = RenderMemory()
  /// Two flags: the thread must end, and the thread has ended.
  private let flags = SharedWords(count: 2)
  private var stopping: SharedWord { flags[0] }
  private var ended: SharedWord { flags[1] }
  private var thread: SystemThread?
  private let isScheduled = DispatchSemaphore(value: 0)

  init(
    _ initialization: InitializePort, segment: Segment, unit: any RenderUnit, input: LiveInput,
    deferredWork: DeferredWorkThread
  ) {
    self.initialization = initialization
    self.segment = segment
    self.unit = unit
    self.deferredWork = deferredWork
    liveInput =
      initialization.isOffline
      ? nil
      : LiveInputConsumer(
        to: input, as: .host, of: unit, sampleRate: initialization.sampleRate,
        host: EventCapacity(
          events: SegmentLayout.eventSlots,
          bytes: SegmentLayout.eventSlots * SegmentLayout.slotSize))
    transport = TransportSnapshot(in: memory)
    roundTrips = initialization.isOffline ? nil : RecentRoundTrips(in: memory)
    // Offline, the render thread prepares the unit before each cycle instead.
    if !initialization.isOffline {
      deferredWork.add(for: unit) { [unit] in unit.performDeferredWork() }
    }
  }

  deinit {
    deferredWork.remove(unit)
    memory.release()
    flags.destroy()
    counters.destroy()
  }

  /// Starts the thread, and waits until its scheduling is set.
  func start() throws(SystemError) {
    thread = try SystemThread(name: "portative-node") { self.run() }
    isScheduled.wait()
    liveInput?.begin()
  }

  /// Ends the thread. The caller of ``start()`` must call this once.
  ///
  /// - Parameter seconds: The longest wait for the thread, in seconds.
  /// - Returns: Whether the thread has ended and released this object, so that the caller's thread frees the unit. A
  ///   unit that hangs keeps its thread and memory until it returns.
  func stop(within seconds: Double = 0.5) -> Bool {
    liveInput?.end()
    stopping.store(1)
    let limit = MonotonicClock.now + Int64(seconds * 1e9)
    while ended.value == 0, MonotonicClock.now < limit {
      // Woken repeatedly, because the thread may have checked `stopping` but not started to wait yet.
      segment.cycle.posted.wake()
      ended.wait(while: 0, until: MonotonicClock.now + 1_000_000)
    }
    let hasEnded = ended.value != 0
    if hasEnded { thread?.join() } else { thread?.detach() }
    thread = nil
    return hasEnded
  }

  /// The numbers of infinite and NaN samples: of the output, as counted by the host, and of the input.
  var invalidSamples: (output: Int, input: Int) {
    (Int(segment.counters.invalidOutput.value), Int(segment.counters.invalidInput.value))
  }

  /// The host's round trips of the last seconds; `nil` if it states none.
  var recentRoundTrips: RecentRoundTrips.Figures? { roundTrips?.figures(at: MonotonicClock.now) }

  private func run() {
    scheduling = RenderScheduling(applying: initialization)
    let isOffline = initialization.isOffline
    let state = memory.make(
      NodeState(
        segment, unit, isOffline: isOffline, isRealtime: scheduling.isRealtime, stopping: stopping,
        deferredWork.signal, counters, transport, live: liveInput?.events, roundTrips: roundTrips,
        in: memory))
    isScheduled.signal()
    if isOffline { state.pointee.runOffline() } else { state.pointee.run() }
    ended.store(1)
    ended.wake()
  }
}
