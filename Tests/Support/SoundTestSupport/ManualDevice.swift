import ConnectionTestSupport
package import LiveAudio
package import LocalSystem
package import RenderCore
import Synchronization

/// A sound device whose cycles are driven by the test.
package final class ManualDevice: GraphDevice, @unchecked Sendable {
  package let format: Format
  package let latency = 0
  package let priority: Int
  package let isRealTime: Bool
  package let summary: String
  package var freewheeling: SharedWord { words[0] }
  private let words = SharedWords(count: 1)
  private let state = Mutex(State())

  private struct State {
    var renderer: Renderer?
    var report: (@Sendable (SoundDeviceEvent) -> Void)?
    var hasStopped = false
    var position: Int64 = 0
    var transport: ManualTransport?
  }

  /// - Parameters:
  ///   - isRealTime: Whether the times that are given to ``cycle(_:now:)`` are those of CLOCK_MONOTONIC.
  ///   - hasTransport: Whether the device has a transport, which is initially stopped at frame 0.
  ///   - isFreewheeling: Whether a cycle waits until the units are ready, so that no note is late on a busy machine.
  package init(
    _ format: Format = Format(maximumFrames: 256), _ summary: String = "by hand",
    isRealTime: Bool = true, isFreewheeling: Bool = false, hasTransport: Bool = false,
    priority: Int = 0
  ) {
    self.priority = priority
    self.format = format
    self.summary = summary
    self.isRealTime = isRealTime
    words[0].store(isFreewheeling ? 1 : 0)
    if hasTransport { state.withLock { $0.transport = ManualTransport() } }
  }

  deinit { words.destroy() }

  package func start(
    _ renderer: Renderer, report: @escaping @Sendable (SoundDeviceEvent) -> Void
  ) throws(SoundDeviceError) {
    state.withLock {
      $0.renderer = renderer
      $0.report = report
    }
  }

  package func stop() {
    state.withLock {
      $0.renderer = nil
      $0.hasStopped = true
    }
  }

  package var transport: Transport? { state.withLock { $0.transport?.transport } }

  package func change(_ change: TransportChange) -> Bool {
    state.withLock { $0.transport?.add(change) } != nil
  }

  package func follow(_ lead: TransportLead) { state.withLock { $0.transport?.lead = lead } }

  /// Changes the transport as its graph does.
  package func withTransport(_ change: (inout ManualTransport) -> Void) {
    state.withLock { state in
      if var transport = state.transport {
        change(&transport)
        state.transport = transport
      }
    }
  }

  package var isRunning: Bool { state.withLock { $0.renderer != nil } }
  package var hasStopped: Bool { state.withLock { $0.hasStopped } }

  package func report(_ event: SoundDeviceEvent) { state.withLock { $0.report }?(event) }

  /// Renders a cycle at a given time.
  ///
  /// - Parameter now: The host time in nanoseconds.
  /// - Returns: Both channels, or `nil` while the device is not running.
  package func cycle(_ frames: Int, now: Int64) -> (left: [Float], right: [Float])? {
    let output = StereoOutput(frames: frames)
    return state.withLock { state in
      guard let renderer = state.renderer else { return nil }
      var cycle = RenderCycle(
        midi: MIDICycle(frames: frames), position: state.position, hostTime: now,
        output: UnsafePointer(output.pointers))
      state.position += Int64(frames)
      let points = (state.transport?.next()).map { [TransportPoint(offset: 0, $0)] } ?? []
      points.withUnsafeBufferPointer { points in
        cycle.transport = points
        RealtimeSection.begin()
        _ = renderer.procedure(renderer.state, &cycle)
        RealtimeSection.end()
      }
      state.transport?.endCycle(frames)
      return (output.left, output.right)
    }
  }

  /// Renders a cycle of the greatest length at a given time.
  ///
  /// - Returns: The greatest absolute value of its samples, infinite if one is not a finite number, or `nil` while the
  ///   device is not running.
  package func peak(now: Int64) -> Float? {
    cycle(format.maximumFrames, now: now).map { output in
      (output.left + output.right).reduce(0) { $1.isFinite ? max($0, abs($1)) : .infinity }
    }
  }
}
