import FluidSynthEngine
import RenderCore
import Threads

/// Renders an exact instrument on several threads, with the same output as on one.
///
/// The calling thread plans each cycle and renders the first lane group while the worker threads render the others.
/// The mixing runs on a separate thread during the next cycle, so audio is delayed by one cycle; ``flush(_:)``
/// outputs the last one. With one lane group, the calling thread does everything.
///
/// Realtime: no, it waits for its threads.
final class ParallelLaneRenderer {
  typealias OutputHandler = SongPlayer.OutputHandler

  private let instrument: ExactInstrument
  private let workers: [Worker]
  private let mixer: Worker?
  private let mix: MixJob
  /// The frames of the cycle that is being mixed; 0 if there is none.
  private var pendingFrames = 0
  /// The cost of planning, in voices, for distributing notes.
  private var planningCost = 0.0

  /// Starts a thread for each lane group except the first, and one for mixing.
  init(_ instrument: ExactInstrument) throws(SystemError) {
    self.instrument = instrument
    let mix = MixJob(instrument)
    self.mix = mix
    var started: [Worker] = []
    do throws(SystemError) {
      for group in 1..<max(1, instrument.settings.threads) {
        started.append(try Worker { frames in instrument.renderGroup(group, frames: frames) })
      }
      mixer = instrument.settings.threads > 1 ? try Worker { _ in mix.run() } : nil
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

  /// Renders one cycle, and passes the previous one to `output`.
  func render(_ cycle: MIDICycle, _ output: OutputHandler) {
    let begin = ContinuousClock.now
    instrument.plan(cycle)
    for worker in workers { worker.begin(cycle.frames) }
    let planned = ContinuousClock.now
    instrument.renderGroup(0, frames: cycle.frames)
    if !workers.isEmpty { balance(planned - begin, ContinuousClock.now - planned) }
    for worker in workers { worker.wait() }
    guard let mixer else {
      mix.setCycle(instrument.endCycle(frames: cycle.frames))
      mix.run()
      mix.output.send(cycle.frames, to: output)
      return
    }
    if pendingFrames > 0 { mixer.wait() }
    let (frames, mixed) = (pendingFrames, mix.output)
    mix.setCycle(instrument.endCycle(frames: cycle.frames))
    mixer.begin(cycle.frames)
    pendingFrames = cycle.frames
    mixed.send(frames, to: output)
  }

  /// Passes the last cycle to `output`.
  func flush(_ output: OutputHandler) {
    if pendingFrames > 0 { mixer?.wait() }
    mix.output.send(pendingFrames, to: output)
    pendingFrames = 0
  }

  /// Assigns fewer notes to the calling thread: as many voices less as it could render while it plans.
  private func balance(_ plan: Duration, _ rendering: Duration) {
    let voices = Double(instrument.load(ofGroup: 0))
    guard voices > 0, rendering > .zero else { return }
    planningCost += (min(plan / rendering * voices, 64) - planningCost) * 0.1
    instrument.setHandicap(Int(planningCost.rounded()), ofGroup: 0)
  }
}

/// Mixes a rendered cycle alternately into one of two outputs, on the mixing thread.
///
/// `@unchecked Sendable`: passed between the calling thread and the mixing thread by a ``Worker``, and used by one of
/// them at a time; the output that is not in use belongs to the caller.
private final class MixJob: @unchecked Sendable {
  private let instrument: ExactInstrument
  private let memory = RenderMemory()
  private var cycle: RenderedCycle?
  private(set) var output: ChannelBuffer
  private var other: ChannelBuffer

  init(_ instrument: ExactInstrument) {
    self.instrument = instrument
    // The remaining audio follows the stems.
    let channels = 2 + (instrument.stemCount > 0 ? 2 * (instrument.stemCount + 1) : 0)
    output = ChannelBuffer(channels, frames: instrument.settings.maximumFrames, in: memory)
    other = ChannelBuffer(channels, frames: instrument.settings.maximumFrames, in: memory)
  }

  func setCycle(_ cycle: RenderedCycle) {
    self.cycle = cycle
    (output, other) = (other, output)
  }

  func run() {
    guard let cycle else { return }
    instrument.mix(
      cycle, left: output.channel(0), right: output.channel(1),
      stems: output.count > 2 ? output.channel(2) : nil)
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

  func send(_ frames: Int, to output: ParallelLaneRenderer.OutputHandler) {
    if frames == 0 { return }
    output((0..<count).map { UnsafeBufferPointer(start: channel($0), count: frames) })
  }
}
