package import RenderCore
import Synchronization
import Threads

/// A unit that does what it does so many frames later, and says so: on the left a pulse of its key's height for
/// each note that begins, on the right one for each that ends; and its input, where there is some.
package final class LateUnit: RenderUnit, @unchecked Sendable {
  private let state: UnsafeMutablePointer<State>
  private let word: UnsafeMutablePointer<UInt32>

  struct State {
    let format: Format
    let latency: SharedWord
    let lines: UnsafeMutablePointer<Float>
    var place = 0
    static var length: Int { @_noLocks get { 16_384 } }
  }

  /// - Parameter latency: 0…8191.
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

  /// What comes later than the last cycle has the new one.
  package var latency: Int {
    get { Int(SharedWord(at: word).value) }
    set { SharedWord(at: word).store(UInt32(newValue)) }
  }
}

/// Makes late units, and remembers them.
package final class LateSource: RenderUnitSource {
  private let latency: Int
  private let made = Mutex<[LateUnit]>([])

  package init(latency: Int) { self.latency = latency }

  package var units: [LateUnit] { made.withLock { $0 } }

  package func makeUnit(_ format: Format) throws -> any RenderUnit {
    let unit = LateUnit(format, latency: latency)
    made.withLock { $0.append(unit) }
    return unit
  }
}

extension LateUnit.State {
  @_noLocks fileprivate mutating func render(_ cycle: RenderCycle) {
    let (frames, late) = (cycle.frames, Int(latency.value))
    for event in cycle.events {
      guard case .channel(let message) = event.content else { continue }
      if message.startsNote { add(Float(message.data1), 0, Int(event.offset) + late) }
      if message.endsNote { add(Float(message.data1), 1, Int(event.offset) + late) }
    }
    for channel in 0..<2 {
      for frame in 0..<frames {
        if channel < cycle.input.count { add(cycle.input[channel][frame], channel, frame + late) }
        let index = channel * Self.length + (place + frame) % Self.length
        cycle.output[channel][frame] = lines[index]
        lines[index] = 0
      }
    }
    place += frames
  }

  @_noLocks private func add(_ sample: Float, _ channel: Int, _ offset: Int) {
    lines[channel * Self.length + (place + offset) % Self.length] += sample
  }
}

@_noLocks @c private func renderLate(
  _ state: UnsafeMutableRawPointer, _ cycle: UnsafeRawPointer
) -> Bool {
  state.assumingMemoryBound(to: LateUnit.State.self).pointee.render(cycle.renderCycle)
  return false
}
