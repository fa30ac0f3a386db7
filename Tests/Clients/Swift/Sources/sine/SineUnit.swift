import Glibc
import RenderCore

struct SineSource: RenderUnitSource {
  func makeUnit(_ format: Format) throws -> any RenderUnit { SineUnit(format) }
}

/// Plays the last key as a sine wave.
final class SineUnit: RenderUnit, @unchecked Sendable {
  private let state: UnsafeMutablePointer<SineState>
  let parameters: ParameterStore? = ParameterStore(
    ParameterTree([Parameter("gain", "Gain", 0...1, default: 0.5)]))

  init(_ format: Format) {
    state = .allocate(capacity: 1)
    state.initialize(to: SineState(channels: format.outputChannels))
  }

  deinit { state.deallocate() }

  var renderer: Renderer { Renderer(state: UnsafeMutableRawPointer(state), renderSine) }
}

/// The render thread's state: a point that rotates by a constant angle per frame.
struct SineState {
  let channels: Int
  // The current point, and the rotation by one frame.
  var x = 0.0
  var y = 0.0
  var cosine = 1.0
  var sine = 0.0

  @_noLocks mutating func render(_ cycle: RenderCycle) {
    var steps = CycleSteps(cycle)
    while let step = steps.next() {
      switch step {
      case .event(let event):
        if case .channel(let message) = event.content { follow(message) }
      case .frames(let begin, let end):
        for frame in begin..<end {
          for channel in 0..<channels { cycle.output[channel][frame] = Float(y) }
          (x, y) = (x * cosine - y * sine, x * sine + y * cosine)
        }
      default: break
      }
    }
  }

  @_noLocks private mutating func follow(_ message: ChannelMessage) {
    if message.startsNote {
      // A rational rotation, because the library's sine is not for render threads.
      let tangent = Double(message.data1) / 4000
      cosine = (1 - tangent * tangent) / (1 + tangent * tangent)
      sine = 2 * tangent / (1 + tangent * tangent)
      (x, y) = (Double(message.data2) / 254, 0)
    } else if message.endsNote {
      (x, y) = (0, 0)
    }
  }
}

@_noLocks private func renderSine(
  _ state: UnsafeMutableRawPointer, _ cycle: UnsafeRawPointer
) -> Bool {
  state.assumingMemoryBound(to: SineState.self).pointee.render(cycle.renderCycle)
  return false
}
