import LocalSystem
package import RenderCore

/// A silent unit that sends every received event: notes an octave higher, all others unchanged.
package final class EchoUnit: RenderUnit, @unchecked Sendable {
  private let state: UnsafeMutablePointer<State>
  private let atomics: UnsafeMutablePointer<UInt32>

  struct State {
    let channels: Int
    let copies: Int
    let accepted: SharedWord
    let refused: SharedWord
  }

  /// - Parameter copies: The number of times it sends each event.
  package init(_ format: Format, copies: Int = 1) {
    atomics = .allocate(capacity: 2)
    atomics.initialize(repeating: 0, count: 2)
    state = .allocate(capacity: 1)
    state.initialize(
      to: State(
        channels: format.outputChannels, copies: copies, accepted: SharedWord(at: atomics),
        refused: SharedWord(at: atomics + 1)))
  }

  deinit {
    state.deallocate()
    atomics.deallocate()
  }

  package var renderer: Renderer { Renderer(state: UnsafeMutableRawPointer(state), renderEcho) }
  package var status: [UnitStatus] {
    [
      UnitStatus("accepted", Int(state.pointee.accepted.value)),
      UnitStatus("refused", Int(state.pointee.refused.value)),
    ]
  }
}

/// Creates echo units.
package struct EchoSource: RenderUnitSource {
  private let copies: Int

  package init(copies: Int = 1) { self.copies = copies }

  package func makeUnit(_ format: Format) throws -> any RenderUnit {
    EchoUnit(format, copies: copies)
  }
}

@_noLocks private func renderEcho(
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

/// Returns a note raised by an octave if that is a valid key, and any other event unchanged.
@_noLocks private func raised(_ event: MIDIEvent) -> MIDIEvent {
  guard case .channel(let message) = event.content, message.startsNote || message.endsNote,
    let higher = ChannelMessage(
      status: message.status, data1: message.data1 &+ 12, data2: message.data2)
  else { return event }
  return MIDIEvent(offset: event.offset, content: .channel(higher))
}
