package import RenderCore
import Threads

/// A unit that makes no sound, and sends whatever it is given: notes an octave higher, all else as it is.
package final class EchoUnit: RenderUnit, @unchecked Sendable {
  private let state: UnsafeMutablePointer<State>
  private let words: UnsafeMutablePointer<UInt32>

  struct State {
    let channels: Int
    let copies: Int
    let accepted: SharedWord
    let refused: SharedWord
  }

  /// - Parameter copies: How often it sends each event.
  package init(_ format: Format, copies: Int = 1) {
    words = .allocate(capacity: 2)
    words.initialize(repeating: 0, count: 2)
    state = .allocate(capacity: 1)
    state.initialize(
      to: State(
        channels: format.channels, copies: copies, accepted: SharedWord(at: words),
        refused: SharedWord(at: words + 1)))
  }

  deinit {
    state.deallocate()
    words.deallocate()
  }

  package var renderer: Renderer { Renderer(state: UnsafeMutableRawPointer(state), renderEcho) }
  package var status: [UnitStatus] {
    [
      UnitStatus("accepted", Int(state.pointee.accepted.value)),
      UnitStatus("refused", Int(state.pointee.refused.value)),
    ]
  }
}

/// Makes echo units, and forgets them.
package struct EchoSource: RenderUnitSource {
  private let copies: Int

  package init(copies: Int = 1) { self.copies = copies }

  package func makeUnit(_ format: Format) throws -> any RenderUnit {
    EchoUnit(format, copies: copies)
  }
}

@_noLocks @c private func renderEcho(
  _ state: UnsafeMutableRawPointer, _ cycle: UnsafeRawPointer
) -> Bool {
  let state = state.assumingMemoryBound(to: EchoUnit.State.self)
  let cycle = cycle.renderCycle
  for channel in 0..<state.pointee.channels {
    cycle.output[channel].update(repeating: 0, count: cycle.frames)
  }
  for event in cycle.events {
    for _ in 0..<state.pointee.copies {
      let isAccepted = cycle.midiOutput.pass(raised(event), of: cycle.midi)
      if isAccepted { state.pointee.accepted.increase() } else { state.pointee.refused.increase() }
    }
  }
  return false
}

/// A note an octave higher, where there is one.
@_noLocks private func raised(_ event: MIDIEvent) -> MIDIEvent {
  guard case .channel(let message) = event.content, message.startsNote || message.endsNote,
    let higher = ChannelMessage(
      status: message.status, data1: message.data1 &+ 12, data2: message.data2)
  else { return event }
  return MIDIEvent(offset: event.offset, content: .channel(higher))
}
