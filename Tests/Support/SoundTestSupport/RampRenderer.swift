import Glibc
package import RenderCore
import Synchronization

/// Plays a ramp that identifies each frame, and records the requested cycles.
///
/// Its state is never freed, because a device may outlive it at the end of a test.
///
/// The left channel has the frame's ``level(at:)`` in units of 16-bit samples, the right channel its negative.
package final class RampRenderer: Sendable {
  /// The parameters of a cycle.
  package struct Request: Equatable, Sendable {
    package let position: Int64
    package let hostTime: Int64
    package let frames: Int
  }

  private nonisolated(unsafe) let state: UnsafeMutablePointer<State>
  private static let capacity = 100_000

  private struct State: ~Copyable {
    let requests: UnsafeMutablePointer<Request>
    let slowFrom: Int
    let count = Atomic(0)
    /// The time that the next cycle sleeps, in microseconds; the render thread resets it to 0.
    let microseconds = Atomic<UInt32>(0)
  }

  /// - Parameter slowFrom: The index of the first cycle that takes 10 ms, for a device that does not wait.
  package init(slowFrom: Int = .max) {
    state = .allocate(capacity: 1)
    state.initialize(
      to: State(requests: .allocate(capacity: Self.capacity), slowFrom: slowFrom))
  }

  package var renderer: Renderer { Renderer(state: state, renderRamp) }

  /// The number of recorded cycles.
  package var count: Int { state.pointee.count.load(ordering: .acquiring) }

  package var requests: [Request] { (0..<count).map { state.pointee.requests[$0] } }

  /// Sleeps in the next cycle, which violates the realtime rules.
  package func sleep(milliseconds: UInt32) {
    state.pointee.microseconds.store(milliseconds * 1000, ordering: .releasing)
  }

  /// Returns the level of a frame, 1…32767, so never silent.
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
    if count >= state.pointee.slowFrom { usleep(10_000) }
    if count >= capacity { return }
    state.pointee.requests[count] = Request(
      position: cycle.position, hostTime: cycle.hostTime, frames: cycle.frames)
    state.pointee.count.store(count + 1, ordering: .releasing)
  }
}

private func renderRamp(_ state: UnsafeMutableRawPointer, _ cycle: UnsafeRawPointer) -> Bool {
  RampRenderer.render(state, cycle.renderCycle)
  return false
}
