import Glibc
import RenderCore

/// Creates a unit for each host, in the format that the host requests.
struct SineSource: RenderUnitSource {
  func makeUnit(_ format: Format) throws -> any RenderUnit { SineUnit(format) }
}

/// The unit. Allocates and frees the state outside the render thread.
final class SineUnit: RenderUnit, @unchecked Sendable {
  private let state: UnsafeMutablePointer<SineState>

  init(_ format: Format) {
    state = .allocate(capacity: 1)
    state.initialize(to: SineState(format))
  }

  deinit { state.deallocate() }

  var renderer: Renderer { Renderer(state: UnsafeMutableRawPointer(state), renderSines) }
}

/// The state of the render thread: an oscillator for each key, which rotates a point by a constant angle per frame.
struct SineState {
  private let channels: Int
  private var oscillators = InlineArray<128, Oscillator>(repeating: Oscillator())

  private struct Oscillator {
    // The current point, and the rotation by one frame.
    var x: Float = 0
    var y: Float = 0
    var cosine: Float = 1
    var sine: Float = 0
  }

  init(_ format: Format) {
    channels = format.outputChannels
    for key in 0..<128 {
      let angle = 2 * Double.pi * 440 * pow(2, Double(key - 69) / 12) / Double(format.sampleRate)
      oscillators[key].cosine = Float(cos(angle))
      oscillators[key].sine = Float(sin(angle))
    }
  }

  @_noLocks mutating func render(_ cycle: RenderCycle) {
    for channel in 0..<channels {
      cycle.output[channel].update(repeating: 0, count: cycle.frames)
    }
    // Renders up to the frame of each event before handling it, so that the event acts on its frame.
    var done = 0
    for event in cycle.events {
      render(cycle, from: done, to: Int(event.offset))
      done = Int(event.offset)
      if case .channel(let message) = event.content { handle(message) }
    }
    render(cycle, from: done, to: cycle.frames)
  }

  @_noLocks private mutating func handle(_ message: ChannelMessage) {
    let key = Int(message.data1)
    if message.startsNote {
      oscillators[key].x = Float(message.data2) / 127 * 0.1
      oscillators[key].y = 0
    } else if message.endsNote {
      oscillators[key].x = 0
      oscillators[key].y = 0
    }
  }

  @_noLocks private mutating func render(_ cycle: RenderCycle, from begin: Int, to end: Int) {
    for key in 0..<128 where !(oscillators[key].x == 0 && oscillators[key].y == 0) {
      var (x, y) = (oscillators[key].x, oscillators[key].y)
      let (cosine, sine) = (oscillators[key].cosine, oscillators[key].sine)
      for frame in begin..<end {
        for channel in 0..<channels { cycle.output[channel][frame] += y }
        (x, y) = (x * cosine - y * sine, x * sine + y * cosine)
      }
      oscillators[key].x = x
      oscillators[key].y = y
    }
  }
}

/// The function that the render thread calls. `@_noLocks` makes the compiler check that it neither allocates nor locks.
@_noLocks private func renderSines(
  _ state: UnsafeMutableRawPointer, _ cycle: UnsafeRawPointer
) -> Bool {
  state.assumingMemoryBound(to: SineState.self).pointee.render(cycle.renderCycle)
  return false
}
