import LocalSystem
package import RenderCore
import Synchronization

/// A unit whose output is delayed by the latency that it reports.
///
/// The left channel has a pulse for each note on and the right channel one for each note off, with the key as its
/// amplitude. The input, if any, is added.
package final class LatencyUnit: RenderUnit, @unchecked Sendable {
  private let state: UnsafeMutablePointer<State>
  private let word: UnsafeMutablePointer<UInt32>

  struct State {
    let format: Format
    let latency: SharedWord
    let lines: UnsafeMutablePointer<Float>
    var position = 0
    static var length: Int { @_noLocks get { 16_384 } }
  }

  /// - Parameter latency: The initial latency in frames, 0…8191.
  package init(_ format: Format, latency: Int) {
    word = .allocate(capacity: 1)
    word.initialize(to: UInt32(latency))
    state = .allocate(capacity: 1)
    state.initialize(
      to: State(
        format: format, latency: SharedWord(at: word), lines: .allocate(capacity: 2 * State.length))
    )
    state.pointee.lines.initialize(repeating: 0, count: 2 * State.length)
  }

  deinit {
    state.pointee.lines.deallocate()
    state.deallocate()
    word.deallocate()
  }

  package var renderer: Renderer { Renderer(state: UnsafeMutableRawPointer(state), renderLate) }

  /// The latency in frames; a new value applies from the next cycle on.
  package var latency: Int {
    get { Int(SharedWord(at: word).value) }
    set { SharedWord(at: word).store(UInt32(newValue)) }
  }
}

/// Creates latency units and keeps references to them.
package final class LatencySource: RenderUnitSource {
  private let latency: Int
  private let created = Mutex<[LatencyUnit]>([])

  package init(latency: Int) { self.latency = latency }

  package var units: [LatencyUnit] { created.withLock { $0 } }

  package func makeUnit(_ format: Format) throws -> any RenderUnit {
    let unit = LatencyUnit(format, latency: latency)
    created.withLock { $0.append(unit) }
    return unit
  }
}

extension LatencyUnit.State {
  @_noLocks fileprivate mutating func render(_ cycle: RenderCycle) {
    let (frames, delay) = (cycle.frames, Int(latency.value))
    for event in cycle.events {
      guard case .channel(let message) = event.content else { continue }
      if message.startsNote { add(Float(message.data1), 0, Int(event.offset) + delay) }
      if message.endsNote { add(Float(message.data1), 1, Int(event.offset) + delay) }
    }
    for channel in 0..<2 {
      for frame in 0..<frames {
        if channel < cycle.input.count { add(cycle.input[channel][frame], channel, frame + delay) }
        let index = channel * Self.length + (position + frame) % Self.length
        cycle.output[channel][frame] = lines[index]
        lines[index] = 0
      }
    }
    position += frames
  }

  @_noLocks private func add(_ sample: Float, _ channel: Int, _ offset: Int) {
    lines[channel * Self.length + (position + offset) % Self.length] += sample
  }
}

@_noLocks private func renderLate(
  _ state: UnsafeMutableRawPointer, _ cycle: UnsafeRawPointer
) -> Bool {
  state.assumingMemoryBound(to: LatencyUnit.State.self).pointee.render(cycle.renderCycle)
  return false
}
