import FluidSynthEngine
import Glibc
import LocalSystem
import RenderCore

/// Renders an exact instrument on several threads, with the bits of one.
///
/// The calling thread plans each cycle, renders the first pool while the members render theirs, and
/// leaves the mixing to a thread of its own, which goes on during the next cycle. So audio comes out
/// one cycle late; ``flush(_:)`` gives the last. With one pool the calling thread does it all. Realtime:
/// no, it waits for its threads.
final class ParallelLaneRenderer {
  typealias Taker = SongPlayer.Taker

  private let instrument: ExactInstrument
  private let members: [Worker]
  private let mixer: Worker?
  private let mix: MixJob
  /// Frames that the mixer has been given and that were not taken yet.
  private var pendingFrames = 0
  /// Voices that planning counts as, when notes are dealt.
  private var planning = 0.0

  /// Starts a thread for each pool of the instrument but the first, and one for mixing.
  init(_ instrument: ExactInstrument) throws(ThreadError) {
    self.instrument = instrument
    let mix = MixJob(instrument)
    self.mix = mix
    var started: [Worker] = []
    do throws(ThreadError) {
      for pool in 1..<max(1, instrument.settings.threads) {
        started.append(try Worker { frames in instrument.renderPool(pool, frames: frames) })
      }
      mixer = instrument.settings.threads > 1 ? try Worker { _ in mix.run() } : nil
    } catch {
      for worker in started { worker.stop() }
      throw error
    }
    members = started
  }

  deinit {
    for worker in members { worker.stop() }
    mixer?.stop()
  }

  /// Renders one cycle, and hands the one before to `take`.
  func render(_ cycle: MIDICycle, _ take: Taker) {
    let begin = ContinuousClock.now
    instrument.plan(cycle)
    for member in members { member.begin(cycle.frames) }
    let planned = ContinuousClock.now
    instrument.renderPool(0, frames: cycle.frames)
    if !members.isEmpty { balance(planned - begin, ContinuousClock.now - planned) }
    for member in members { member.wait() }
    guard let mixer else {
      mix.turn(to: instrument.endCycle(frames: cycle.frames))
      mix.run()
      mix.output.give(cycle.frames, to: take)
      return
    }
    if pendingFrames > 0 { mixer.wait() }
    let (frames, mixed) = (pendingFrames, mix.output)
    mix.turn(to: instrument.endCycle(frames: cycle.frames))
    mixer.begin(cycle.frames)
    pendingFrames = cycle.frames
    mixed.give(frames, to: take)
  }

  /// Hands the last cycle to `take`.
  func flush(_ take: Taker) {
    if pendingFrames > 0 { mixer?.wait() }
    mix.output.give(pendingFrames, to: take)
    pendingFrames = 0
  }

  /// Gives the calling thread fewer notes, by as many voices as it could render while it plans.
  private func balance(_ plan: Duration, _ rendering: Duration) {
    let voices = Double(instrument.load(ofPool: 0))
    guard voices > 0, rendering > .zero else { return }
    planning += (min(plan / rendering * voices, 64) - planning) * 0.1
    instrument.setHandicap(Int(planning.rounded()), ofPool: 0)
  }
}

/// What the mixing thread does: an ended cycle into one of two outputs, in turn.
///
/// `@unchecked Sendable`: handed between the calling thread and the mixing one by a ``Worker``, and
/// used by one of them at a time; the output not in use is the caller's.
private final class MixJob: @unchecked Sendable {
  private let instrument: ExactInstrument
  private var cycle: RenderedCycle?
  private(set) var output: ChannelBuffer
  private var other: ChannelBuffer

  init(_ instrument: ExactInstrument) {
    self.instrument = instrument
    // The rest comes after the stems.
    let channels = 2 + (instrument.stemCount > 0 ? 2 * (instrument.stemCount + 1) : 0)
    output = ChannelBuffer(channels, frames: instrument.settings.maximumFrames)
    other = ChannelBuffer(channels, frames: instrument.settings.maximumFrames)
  }

  deinit {
    output.deallocate()
    other.deallocate()
  }

  func turn(to cycle: RenderedCycle) {
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

/// Room for a cycle's channels.
private struct ChannelBuffer {
  let count: Int
  private let memory: UnsafeMutablePointer<Float>
  private let stride: Int

  init(_ count: Int, frames: Int) {
    self.count = count
    stride = frames
    memory = .allocate(capacity: count * frames)
  }

  func deallocate() { memory.deallocate() }

  func channel(_ index: Int) -> UnsafeMutablePointer<Float> { memory + index * stride }

  func give(_ frames: Int, to take: ParallelLaneRenderer.Taker) {
    if frames == 0 { return }
    take((0..<count).map { UnsafeBufferPointer(start: channel($0), count: frames) })
  }
}
