import Glibc
package import RenderCore
import Synchronization

/// Plays a ramp that says of each frame which one it is, and keeps what it was asked for.
///
/// Its state is never freed, for at the end of a test a device may outlive it.
///
/// The left channel has the frame's ``level(at:)``, in units of 16 bits; the right has it upside down.
package final class RampRenderer: Sendable {
  /// What a cycle was asked for.
  package struct Asked: Equatable, Sendable {
    package let position: Int64
    package let hostTime: Int64
    package let frames: Int
  }

  private nonisolated(unsafe) let state: UnsafeMutablePointer<State>
  private static let capacity = 100_000

  private struct State: ~Copyable {
    let asked: UnsafeMutablePointer<Asked>
    let hasteUntil: Int
    let count = Atomic(0)
    /// Given to the next cycle, whose thread takes them.
    let microseconds = Atomic<UInt32>(0)
  }

  /// - Parameter hasteUntil: From this cycle on each takes 10 ms, for a device that takes all at once.
  package init(hasteUntil: Int = .max) {
    state = .allocate(capacity: 1)
    state.initialize(
      to: State(asked: .allocate(capacity: Self.capacity), hasteUntil: hasteUntil))
  }

  package var renderer: Renderer { Renderer(state: state, renderRamp) }

  /// How many cycles it was asked for.
  package var count: Int { state.pointee.count.load(ordering: .acquiring) }

  package var asked: [Asked] { (0..<count).map { state.pointee.asked[$0] } }

  /// Sleeps in the next cycle: what no renderer should do.
  package func sleep(milliseconds: UInt32) {
    state.pointee.microseconds.store(milliseconds * 1000, ordering: .releasing)
  }

  /// 1…32767, so never silent.
  package static func level(at position: Int64) -> Int { Int(position % 32_767) + 1 }

  fileprivate static func render(_ state: UnsafeMutableRawPointer, _ cycle: RenderCycle) {
    let state = state.assumingMemoryBound(to: State.self)
    let microseconds = state.pointee.microseconds.exchange(0, ordering: .acquiringAndReleasing)
    if microseconds > 0 { usleep(microseconds) }
    for frame in 0..<cycle.frames {
      let level = Float(level(at: cycle.position + Int64(frame))) / 32_768
      cycle.output[0][frame] = level
      cycle.output[1][frame] = -level
    }
    let count = state.pointee.count.load(ordering: .relaxed)
    if count >= state.pointee.hasteUntil { usleep(10_000) }
    if count >= capacity { return }
    state.pointee.asked[count] = Asked(
      position: cycle.position, hostTime: cycle.hostTime, frames: cycle.frames)
    state.pointee.count.store(count + 1, ordering: .releasing)
  }
}

private func renderRamp(_ state: UnsafeMutableRawPointer, _ cycle: UnsafeRawPointer) -> Bool {
  RampRenderer.render(state, cycle.renderCycle)
  return false
}
