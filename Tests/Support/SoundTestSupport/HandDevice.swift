import ConnectionTestSupport
package import LiveAudio
package import RenderCore
import Synchronization
import Threads

/// A sound device whose cycles are called by the test.
package final class HandDevice: SoundDevice, @unchecked Sendable {
  package let format: Format
  package let latency = 0
  package let summary: String
  private let state = Mutex(State())

  private struct State {
    var renderer: Renderer?
    var tell: (@Sendable (SoundDeviceEvent) -> Void)?
    var hasStopped = false
    var position: Int64 = 0
  }

  package init(_ format: Format = Format(maximumFrames: 256), _ summary: String = "by hand") {
    self.format = format
    self.summary = summary
  }

  package func start(
    _ renderer: Renderer, tell: @escaping @Sendable (SoundDeviceEvent) -> Void
  ) throws(SoundDeviceError) {
    state.withLock {
      $0.renderer = renderer
      $0.tell = tell
    }
  }

  package func stop() {
    state.withLock {
      $0.renderer = nil
      $0.hasStopped = true
    }
  }

  package var isRunning: Bool { state.withLock { $0.renderer != nil } }
  package var hasStopped: Bool { state.withLock { $0.hasStopped } }

  package func tell(_ event: SoundDeviceEvent) { state.withLock { $0.tell }?(event) }

  /// Renders a cycle, at a time of the test's own.
  ///
  /// - Returns: Both channels; `nil` while it does not run.
  package func cycle(_ frames: Int, now: Int64) -> (left: [Float], right: [Float])? {
    let output = StereoOutput(frames: frames)
    return state.withLock { state in
      guard let renderer = state.renderer else { return nil }
      let none = UnsafeBufferPointer<MIDIEvent>(start: nil, count: 0)
      var cycle = RenderCycle(
        midi: MIDICycle(
          frames: frames, events: none, sysEx: UnsafeBufferPointer(start: nil, count: 0)),
        position: state.position, hostTime: now, output: UnsafePointer(output.pointers))
      state.position += Int64(frames)
      RealtimeSection.begin()
      _ = renderer.procedure(renderer.state, &cycle)
      RealtimeSection.end()
      return (output.left, output.right)
    }
  }
}
