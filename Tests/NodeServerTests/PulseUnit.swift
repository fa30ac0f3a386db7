import MIDICore
import RenderCore
import Synchronization

/// A unit whose output says exactly what it was given: on the left a pulse for each event, of its first
/// data byte's height, on its frame; on the right each frame's place in the host's stream.
final class PulseUnit: RenderUnit, @unchecked Sendable {
  let state: UnsafeMutablePointer<State>
  let format: Format
  let tended = Atomic(0)
  let prepared = Atomic(0)

  struct State {
    let channels: Int
    var wantsTending = false
    var sysExBytes = 0
  }

  init(_ format: Format) {
    self.format = format
    state = .allocate(capacity: 1)
    state.initialize(to: State(channels: format.channels))
  }

  deinit { state.deallocate() }

  var renderer: Renderer { Renderer(state: UnsafeMutableRawPointer(state), renderPulses) }
  var latency: Int { 7 }
  func tend() { tended.add(1, ordering: .relaxed) }
  func prepare(notes: Int) { prepared.add(notes, ordering: .relaxed) }
  var status: [UnitStatus] { [UnitStatus("bytes", state.pointee.sysExBytes)] }
}

@_noLocks @c private func renderPulses(
  _ state: UnsafeMutableRawPointer, _ cycle: UnsafeRawPointer
) -> Bool {
  let state = state.assumingMemoryBound(to: PulseUnit.State.self)
  let cycle = cycle.renderCycle
  cycle.output[0].update(repeating: 0, count: cycle.cycle.frames)
  if state.pointee.channels > 1 {
    for i in 0..<cycle.cycle.frames { cycle.output[1][i] = Float(cycle.position + Int64(i)) }
  }
  for event in cycle.cycle.events {
    switch event.content {
    case .channel(let message):
      cycle.output[0][Int(event.offset)] += Float(message.data1)
    case .sysEx(let start, let count):
      var sum = 0
      for i in Int(start)..<Int(start + count) { sum += Int(cycle.cycle.sysEx[i]) }
      cycle.output[0][Int(event.offset)] += Float(sum)
      state.pointee.sysExBytes += Int(count)
    }
  }
  return !cycle.cycle.events.isEmpty
}

/// Makes pulse units, and remembers them.
final class PulseSource: RenderUnitSource {
  let units = Mutex<[PulseUnit]>([])

  func makeUnit(_ format: Format) throws -> any RenderUnit {
    guard format.sampleRate <= 96_000 else {
      throw FormatError(field: "sampleRate", value: format.sampleRate, allowed: 8000...96_000)
    }
    let unit = PulseUnit(format)
    units.withLock { $0.append(unit) }
    return unit
  }
}
