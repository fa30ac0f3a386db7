package import NodeHost
package import RenderCore

/// Two channels of audio to render into.
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

  /// The two channels, for another unit to work on. Valid as long as this lives.
  package var audio: AudioInput {
    AudioInput(
      UnsafeRawPointer(pointers).assumingMemoryBound(to: UnsafePointer<Float>.self), count: 2)
  }

  package var left: [Float] { Array(UnsafeBufferPointer(start: pointers[0], count: frames)) }
  package var right: [Float] { Array(UnsafeBufferPointer(start: pointers[1], count: frames)) }
}

extension Connection {
  /// Renders a cycle and gives its two channels.
  package func rendered(
    _ frames: Int
  ) -> (status: RenderStatus, left: [Float], right: [Float]) {
    let output = StereoOutput(frames: frames)
    let status = render(frames: frames, into: output.pointers)
    return (status, output.left, output.right)
  }

  /// Renders cycles until the node is in time, however busy the machine is, and gives the left channel of that one.
  ///
  /// - Returns: `nil` when it never was.
  package func caughtUp(_ frames: Int) -> [Float]? {
    let isInTime = eventually { isRendered(frames, within: 1_000_000_000) }
    guard isInTime, let left = output(channel: 0) else { return nil }
    return Array(UnsafeBufferPointer(start: left, count: frames))
  }

  /// Renders a cycle.
  ///
  /// - Parameter nanoseconds: How long the node may take.
  /// - Returns: Whether it was in time.
  package func isRendered(_ frames: Int = 64, within nanoseconds: Int64) -> Bool {
    begin(frames: frames)
    return finish(within: nanoseconds) == .rendered
  }
}
