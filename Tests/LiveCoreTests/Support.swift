import ConnectionTestSupport
import MIDICore
import RenderCore
import Synchronization

@testable import LiveCore

let keyboard = LiveInput.Source(1)
let otherKeyboard = LiveInput.Source(2)

func on(_ key: UInt8, channel: UInt8 = 0) -> LiveInput.Content {
  .channel(ChannelMessage(.noteOn, channel: channel, key, 100))
}

func off(_ key: UInt8, channel: UInt8 = 0) -> LiveInput.Content {
  .channel(ChannelMessage(.noteOff, channel: channel, key, 64))
}

func pedal(_ value: UInt8) -> LiveInput.Content {
  .channel(ChannelMessage(.controlChange, channel: 0, 64, value))
}

extension InputReader {
  /// Takes everything that is there.
  mutating func takeAll() -> [InputSlot] {
    var slots: [InputSlot] = []
    while let slot = first {
      slots.append(slot)
      removeFirst()
    }
    return slots
  }
}

extension InputSlot {
  var status: [UInt8] { [bytes.0, bytes.1, bytes.2] }
}

/// A sound device whose cycles are called by the test.
final class HandDevice: SoundDevice, @unchecked Sendable {
  let format: Format
  let latency = 0
  let summary: String
  private let state = Mutex(State())

  private struct State {
    var renderer: Renderer?
    var tell: (@Sendable (SoundDeviceEvent) -> Void)?
    var hasStopped = false
    var position: Int64 = 0
  }

  init(_ format: Format = Format(maximumFrames: 256), _ summary: String = "by hand") {
    self.format = format
    self.summary = summary
  }

  func start(
    _ renderer: Renderer, tell: @escaping @Sendable (SoundDeviceEvent) -> Void
  ) throws(SoundDeviceError) {
    state.withLock {
      $0.renderer = renderer
      $0.tell = tell
    }
  }

  func stop() {
    state.withLock {
      $0.renderer = nil
      $0.hasStopped = true
    }
  }

  var isRunning: Bool { state.withLock { $0.renderer != nil } }
  var hasStopped: Bool { state.withLock { $0.hasStopped } }

  func tell(_ event: SoundDeviceEvent) { state.withLock { $0.tell }?(event) }

  /// Renders a cycle, at a time of the test's own.
  ///
  /// - Returns: Both channels; `nil` while it does not run.
  func cycle(_ frames: Int, now: Int64) -> (left: [Float], right: [Float])? {
    let output = StereoOutput(frames: frames)
    return state.withLock { state in
      guard let renderer = state.renderer else { return nil }
      let none = UnsafeBufferPointer<MIDIEvent>(start: nil, count: 0)
      var cycle = RenderCycle(
        cycle: Cycle(
          frames: frames, events: none, sysEx: UnsafeBufferPointer(start: nil, count: 0)),
        position: state.position, hostTime: now, output: UnsafePointer(output.pointers))
      state.position += Int64(frames)
      _ = renderer.procedure(renderer.state, &cycle)
      return (output.left, output.right)
    }
  }
}
