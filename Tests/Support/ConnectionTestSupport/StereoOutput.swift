package import NodeHost
package import RenderCore
import TestSupport

/// Audio buffers for two channels, initialized to NaN.
package final class StereoOutput {
  package let pointers: UnsafeMutablePointer<UnsafeMutablePointer<Float>>
  private let frames: Int

  package init(frames: Int) {
    self.frames = frames
    pointers = .allocate(capacity: 2)
    for i in 0..<2 {
      (pointers + i).initialize(to: .allocate(capacity: frames))
      pointers[i].initialize(repeating: .nan, count: frames)
    }
  }

  deinit {
    for i in 0..<2 { pointers[i].deallocate() }
    pointers.deallocate()
  }

  /// The two channels as another unit's input. Valid as long as this object exists.
  package var audio: AudioInput {
    AudioInput(
      UnsafeRawPointer(pointers).assumingMemoryBound(to: UnsafePointer<Float>.self), count: 2)
  }

  package var left: [Float] { Array(UnsafeBufferPointer(start: pointers[0], count: frames)) }
  package var right: [Float] { Array(UnsafeBufferPointer(start: pointers[1], count: frames)) }
}

extension Connection {
  /// Renders a cycle and returns its two channels.
  package func rendered(
    _ frames: Int
  ) -> (status: RenderStatus, left: [Float], right: [Float]) {
    let output = StereoOutput(frames: frames)
    let status = render(frames: frames, into: output.pointers)
    return (status, output.left, output.right)
  }

  /// Renders cycles until the node meets a deadline of one second, so that a busy machine does not fail the test.
  ///
  /// - Returns: The left channel of that cycle, or `nil` if no cycle was in time within twenty seconds.
  package func caughtUp(_ frames: Int) -> [Float]? {
    let isInTime = eventually { isRendered(frames, within: 1_000_000_000) }
    guard isInTime, let left = output(channel: 0) else { return nil }
    return Array(UnsafeBufferPointer(start: left, count: frames))
  }

  /// Renders a cycle.
  ///
  /// - Parameter nanoseconds: The deadline, in nanoseconds from the call of `finish`.
  /// - Returns: Whether the cycle was rendered in time.
  package func isRendered(_ frames: Int = 64, within nanoseconds: Int64) -> Bool {
    begin(frames: frames)
    return finish(within: nanoseconds) == .rendered
  }
}
