import Glibc
import LocalSystem
package import NodeProtocol
package import RenderCore

/// A music effect whose output shows exactly what it received.
///
/// The left channel has the left input times the gain, with a pulse of 1000 for each channel message. The right
/// channel has the beat of the host's song at each frame, or -1 where the host does not provide it.
package final class ProbeUnit: RenderUnit, @unchecked Sendable {
  private let store: ParameterStore
  private let state: UnsafeMutablePointer<State>
  private let savedByte: SharedWord
  private let word: UnsafeMutablePointer<UInt32>

  struct State {
    let format: Format
    var gain: ParameterValues
    var transport = Transport(provides: [])
  }

  package static let tree = ParameterTree(
    [
      Parameter("gain", "Gain", 0...10, default: 1),
      Parameter("time.latency", "Latency", 0...4096, default: 0, unit: .index),
      Parameter("time.tail", "Tail", 0...100_000, default: 0, unit: .index),
    ], groups: [.init("time", "Time")])

  package init(_ format: Format) {
    store = ParameterStore(Self.tree)
    state = .allocate(capacity: 1)
    state.initialize(to: State(format: format, gain: store.values))
    word = .allocate(capacity: 1)
    word.initialize(to: 7)
    savedByte = SharedWord(at: word)
  }

  deinit {
    state.deallocate()
    word.deallocate()
  }

  package var renderer: Renderer { Renderer(state: UnsafeMutableRawPointer(state), renderProbe) }
  package var latency: Int { Int(store.value(1)) }
  package var tail: Int? { store.value(2) == 0 ? nil : Int(store.value(2)) }
  package var parameters: ParameterStore? { store }
  package var presets: [Preset] {
    [Preset("Quiet", ["gain": 0.5]), Preset("Loud", ["gain": 4, "time.latency": 64])]
  }

  package func save() -> [UInt8] { [UInt8(savedByte.value)] }

  package func restore(_ data: [UInt8]) throws {
    guard data.count == 1 else { throw Broken() }
    savedByte.store(UInt32(data[0]))
  }

  package struct Broken: Error, CustomStringConvertible {
    package var description: String { "it must have one byte" }
  }

  /// State that the unit saves besides its parameters.
  package var secret: UInt8 {
    get { UInt8(savedByte.value) }
    set { savedByte.store(UInt32(newValue)) }
  }
}

/// Creates probes.
package struct ProbeSource: RenderUnitSource {
  package init() {}
  package func makeUnit(_ format: Format) throws -> any RenderUnit {
    guard (1...2).contains(format.inputChannels) else {
      throw FormatError(field: "inputChannels", value: format.inputChannels, allowed: 1...2)
    }
    return ProbeUnit(format)
  }
}

package func probePort(
  _ number: Int = 0, type: PortType = .musicEffect, channels: PortChannels? = nil
) -> PortDescription {
  try! PortDescription(
    component: ComponentDescription(
      type: type, subtype: FourCharacterCode(String(2000 + number)),
      manufacturer: FourCharacterCode("Test")),
    name: "Test: Probe \(number)", version: SemanticVersion("1.2.3"), channels: channels)
}

extension ProbeUnit.State {
  @_noLocks fileprivate mutating func render(_ cycle: RenderCycle) {
    gain.begin()
    let rate = Double(format.sampleRate)
    var steps = CycleSteps(cycle)
    if cycle.transport.isEmpty { transport.provides = .nothing }
    while let step = steps.next() {
      switch step {
      case .transport(let new): transport = new
      case .parameter(let change): gain.apply(change)
      case .event(let event):
        // Mark the frame; the pulse is written below, because a frame's events precede its samples.
        if case .channel = event.content { cycle.output[0][Int(event.offset)] = -1 }
      case .frames(let begin, let end):
        for frame in begin..<end {
          let isMarked = frame == begin && cycle.output[0][frame] == -1
          cycle.output[0][frame] =
            isMarked ? 1000 : cycle.input[0][frame] * gain.value(0, after: frame - begin)
          cycle.output[1][frame] =
            transport.provides.has(.beat)
            ? Float(transport.beat(after: Double(frame - begin), sampleRate: rate)) : -1
        }
        gain.advance(frames: end - begin)
        transport = transport.after(frames: end - begin, sampleRate: rate)
      }
    }
    gain.publish()
  }
}

@_noLocks private func renderProbe(
  _ state: UnsafeMutableRawPointer, _ cycle: UnsafeRawPointer
) -> Bool {
  state.assumingMemoryBound(to: ProbeUnit.State.self).pointee.render(cycle.renderCycle)
  return false
}
