package import RenderCore

/// A unit with output that is no sound: on the left, from each note's frame on, what its key means, and elsewhere its
/// left input; on the right, its right input.
package final class UnsoundUnit: RenderUnit, @unchecked Sendable {
  private let state = UnsafeMutablePointer<Int>.allocate(capacity: 1)

  package init() { state.initialize(to: 0) }

  deinit { state.deallocate() }

  package var renderer: Renderer { Renderer(state: UnsafeMutableRawPointer(state), renderUnsound) }
}

package struct UnsoundSource: RenderUnitSource {
  package init() {}
  package func makeUnit(_ format: Format) throws -> any RenderUnit { UnsoundUnit() }
}

@_noLocks @c private func renderUnsound(
  _ state: UnsafeMutableRawPointer, _ cycle: UnsafeRawPointer
) -> Bool {
  let cycle = cycle.renderCycle
  for channel in 0..<2 {
    for frame in 0..<cycle.frames {
      cycle.output[channel][frame] = channel < cycle.input.count ? cycle.input[channel][frame] : 0
    }
  }
  for event in cycle.events {
    guard case .channel(let message) = event.content else { continue }
    cycle.output[0][Int(event.offset)] = sample(ofKey: message.data1)
  }
  return false
}

/// What a key means.
@_noLocks private func sample(ofKey key: UInt8) -> Float {
  switch key {
  case 0: .nan
  case 1: .infinity
  case 2: -.infinity
  default: Float(key)
  }
}
