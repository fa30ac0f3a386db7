import Dispatch
import FluidSynthEngine
import LocalSystem
import RenderCore
import Synchronization

/// Renders exact instruments on several threads, with the same output as on one. The outputs of several instruments are
/// added in their order.
///
/// The calling thread plans each cycle and renders the first lane groups while the worker threads render the others.
/// The mixing runs on a separate thread during the next cycle, so audio is delayed by one cycle; ``flush(_:)``
/// outputs the last one. With one lane group, the calling thread does everything.
///
/// Realtime: no, it waits for its threads.
final class ParallelLaneRenderer {
  typealias OutputHandler = SongPlayer.OutputHandler

  private let instruments: [ExactInstrument]
  private let workers: [Worker]
  private let mixer: Worker?
  private let mix: MixJob
  /// The frames of the cycle that is being mixed; 0 if there is none.
  private var pendingFrames = 0
  /// The cost of planning, in voices, for distributing notes.
  private var planningCost = 0.0

  /// Starts a thread for each lane group of an instrument except the first, and one for mixing.
  ///
  /// - Parameter instruments: One or more, with the same settings.
  init(_ instruments: [ExactInstrument]) throws(SystemError) {
    self.instruments = instruments
    let mix = MixJob(instruments)
    let threads = instruments[0].settings.threads
    self.mix = mix
    var started: [Worker] = []
    do throws(SystemError) {
      for group in 1..<max(1, threads) {
        started.append(
          try Worker { frames in
            for instrument in instruments { instrument.renderGroup(group, frames: frames) }
          })
      }
      mixer = threads > 1 ? try Worker { _ in mix.run() } : nil
    } catch {
      for worker in started { worker.stop() }
      throw error
    }
    workers = started
  }

  deinit {
    for worker in workers { worker.stop() }
    mixer?.stop()
  }

  /// Skips one cycle, before all that are rendered, and passes silence to `output`.
  ///
  /// - Parameters:
  ///   - cycles: The cycle of each instrument.
  ///   - endsReleased: As in ``ExactInstrument/skip(_:endsReleased:)``.
  func skip(_ cycles: [MIDICycle], endsReleased: Bool, _ output: OutputHandler) {
    for (instrument, cycle) in zip(instruments, cycles) {
      instrument.skip(cycle, endsReleased: endsReleased)
    }
    mix.output.clear()
    mix.output.send(cycles[0].frames, to: output)
  }

  /// Renders one cycle, and passes the previous one to `output`.
  ///
  /// - Parameter cycles: The cycle of each instrument.
  func render(_ cycles: [MIDICycle], _ output: OutputHandler) {
    for instrument in instruments { instrument.endSkipping() }
    let frames = cycles[0].frames
    let begin = ContinuousClock.now
    for (instrument, cycle) in zip(instruments, cycles) { instrument.plan(cycle) }
    for worker in workers { worker.begin(frames) }
    let planned = ContinuousClock.now
    for instrument in instruments { instrument.renderGroup(0, frames: frames) }
    if !workers.isEmpty { balance(planned - begin, ContinuousClock.now - planned) }
    for worker in workers { worker.wait() }
    guard let mixer else {
      mix.setCycles(instruments.map { $0.endCycle(frames: frames) }, frames: frames)
      mix.run()
      mix.output.send(frames, to: output)
      return
    }
    if pendingFrames > 0 { mixer.wait() }
    let (pending, mixed) = (pendingFrames, mix.output)
    mix.setCycles(instruments.map { $0.endCycle(frames: frames) }, frames: frames)
    mixer.begin(frames)
    pendingFrames = frames
    mixed.send(pending, to: output)
  }

  /// Passes the last cycle to `output`.
  func flush(_ output: OutputHandler) {
    if pendingFrames > 0 { mixer?.wait() }
    mix.output.send(pendingFrames, to: output)
    pendingFrames = 0
  }

  /// Assigns fewer notes to the calling thread: as many voices less as it could render while it plans.
  private func balance(_ plan: Duration, _ rendering: Duration) {
    let voices = Double(instruments.reduce(0) { $0 + $1.load(ofGroup: 0) })
    guard voices > 0, rendering > .zero else { return }
    planningCost += (min(plan / rendering * voices, 64) - planningCost) * 0.1
    let handicap = Int(planningCost.rounded()) / instruments.count
    for instrument in instruments { instrument.setHandicap(handicap, ofGroup: 0) }
  }
}

/// Mixes a rendered cycle alternately into one of two outputs, on the mixing thread.
///
/// `@unchecked Sendable`: passed between the calling thread and the mixing thread by a ``Worker``, and used by one of
/// them at a time; the output that is not in use belongs to the caller.
private final class MixJob: @unchecked Sendable {
  private let instruments: [ExactInstrument]
  private let memory = RenderMemory()
  private var cycles: [RenderedCycle] = []
  private var frames = 0
  private(set) var output: ChannelBuffer
  private var other: ChannelBuffer
  /// The output of one of several instruments.
  private let part: ChannelBuffer?
  /// The sums of the stems of several instruments.
  private let stemSums: UnsafeMutablePointer<Int64>
  private let stemCount: Int
  private let maximumFrames: Int

  init(_ instruments: [ExactInstrument]) {
    self.instruments = instruments
    stemCount = instruments[0].stemCount
    maximumFrames = instruments[0].settings.maximumFrames
    // The remaining audio follows the stems.
    let channels = 2 + (stemCount > 0 ? 2 * (stemCount + 1) : 0)
    output = ChannelBuffer(channels, frames: maximumFrames, in: memory)
    other = ChannelBuffer(channels, frames: maximumFrames, in: memory)
    let isAlone = instruments.count == 1
    part = isAlone ? nil : ChannelBuffer(channels, frames: maximumFrames, in: memory)
    stemSums = memory.make(isAlone ? 0 : 2 * stemCount * maximumFrames, of: 0)
  }

  func setCycles(_ cycles: [RenderedCycle], frames: Int) {
    (self.cycles, self.frames) = (cycles, frames)
    (output, other) = (other, output)
  }

  func run() {
    guard let part else {
      mix(0, to: output)
      return
    }
    output.clear()
    for index in instruments.indices {
      mix(index, to: part)
      output.add(part, channels: 0..<2)
      if stemCount > 0 {
        output.add(part, channels: 2 + 2 * stemCount..<output.count)
        addStems(of: index)
      }
    }
    for channel in 0..<2 * stemCount {
      let sums = stemSums + channel * maximumFrames
      FixedPoint.store(sums, in: output.channel(2 + channel), count: maximumFrames)
      sums.update(repeating: 0, count: maximumFrames)
    }
  }

  private func mix(_ index: Int, to output: ChannelBuffer) {
    guard cycles.indices.contains(index) else { return }
    instruments[index].mix(
      cycles[index], left: output.channel(0), right: output.channel(1),
      stems: output.count > 2 ? output.channel(2) : nil)
  }

  /// Adds the sums of the stems of an instrument.
  private func addStems(of index: Int) {
    instruments[index].withSums(frames: frames) { sums in
      // The mix and the sends come first.
      for channel in 0..<2 * stemCount {
        guard let sums = sums[4 + channel].baseAddress else { continue }
        FixedPoint.add(sums, to: stemSums + channel * maximumFrames, count: frames)
      }
    }
  }
}

/// A buffer for a cycle's channels.
private struct ChannelBuffer {
  let count: Int
  private let samples: UnsafeMutablePointer<Float>
  private let stride: Int

  init(_ count: Int, frames: Int, in memory: RenderMemory) {
    self.count = count
    stride = frames
    samples = memory.reserve(count * frames)
  }

  func channel(_ index: Int) -> UnsafeMutablePointer<Float> { samples + index * stride }

  func clear() { samples.update(repeating: 0, count: count * stride) }

  /// Adds channels of a buffer of the same size.
  func add(_ other: ChannelBuffer, channels: Range<Int>) {
    for channel in channels {
      let (target, source) = (self.channel(channel), other.channel(channel))
      for i in 0..<stride { target[i] += source[i] }
    }
  }

  func send(_ frames: Int, to output: ParallelLaneRenderer.OutputHandler) {
    if frames == 0 { return }
    output((0..<count).map { UnsafeBufferPointer(start: channel($0), count: frames) })
  }
}

/// A thread that runs one function on request.
///
/// `@unchecked Sendable`: `thread` is used only by the thread that created this object.
final class Worker: @unchecked Sendable {
  private let work: @Sendable (_ frames: Int) -> Void
  /// The argument of the next call; 0 ends the thread.
  private let frames = Atomic(0)
  private var thread: SystemThread?
  private let start = DispatchSemaphore(value: 0)
  private let done = DispatchSemaphore(value: 0)

  /// - Parameter work: The function; receives the argument of ``begin(_:)``.
  init(_ work: @escaping @Sendable (_ frames: Int) -> Void) throws(SystemError) {
    self.work = work
    thread = try SystemThread(name: "portative-lanes") { self.run() }
  }

  /// Starts the work; ``wait()`` must be called before the next start.
  ///
  /// - Parameter frames: 1 or more.
  func begin(_ frames: Int) {
    self.frames.store(frames, ordering: .relaxed)
    start.signal()
  }

  /// Waits until the work is done.
  func wait() { done.wait() }

  /// Ends the thread after its current work, and waits for it.
  func stop() {
    begin(0)
    thread?.join()
  }

  private func run() {
    while true {
      start.wait()
      let frames = frames.load(ordering: .relaxed)
      if frames == 0 { return }
      work(frames)
      done.signal()
    }
  }
}
