package import RenderCore

/// A unit that writes invalid samples.
///
/// The left channel has, at each channel message's frame, the sample of its key, and elsewhere the left input. The
/// right channel has the right input.
package final class InvalidSampleUnit: RenderUnit, @unchecked Sendable {
  private let state = UnsafeMutablePointer<Int>.allocate(capacity: 1)

  package init() { state.initialize(to: 0) }

  deinit { state.deallocate() }

  package var renderer: Renderer { Renderer(state: UnsafeMutableRawPointer(state), renderInvalid) }
}

package struct InvalidSampleSource: RenderUnitSource {
  package init() {}
  package func makeUnit(_ format: Format) throws -> any RenderUnit { InvalidSampleUnit() }
}

@_noLocks private func renderInvalid(
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

/// Returns the sample for a key: 0 is NaN, 1 and 2 are infinities, any other key is its number.
@_noLocks private func sample(ofKey key: UInt8) -> Float {
  switch key {
  case 0: .nan
  case 1: .infinity
  case 2: -.infinity
  default: Float(key)
  }
}
