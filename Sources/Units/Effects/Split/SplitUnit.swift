import FoundationEssentials
import LocalSystem
import RenderCore

/// The units of a ``SplitSource``.
///
/// `@unchecked Sendable`: the state belongs to the render thread, except for the delays, which are atomic.
final class SplitUnit: RenderUnit, @unchecked Sendable {
  private let parts: [(channels: UInt16, unit: any RenderUnit)]
  private let memory = RenderMemory()
  private let state: UnsafeMutablePointer<SplitState>

  init(_ parts: [(UInt16, any RenderUnit)], _ format: Format) {
    self.parts = parts.map { (channels: $0.0, unit: $0.1) }
    state = memory.make(
      SplitState(parts.map { ($0.0, $0.1.renderer) }, format, in: memory))
    align()
  }

  var renderer: Renderer {
    Renderer(state: UnsafeMutableRawPointer(state), renderSplit, readiness: prepareSplit)
  }

  var latency: Int { min(parts.map(\.unit.latency).max() ?? 0, AlignmentDelay.longest) }

  var tail: Int? {
    var longest = 0
    for part in parts {
      guard let tail = part.unit.tail else { return nil }
      longest = max(longest, tail)
    }
    return longest
  }

  /// What all units count, such as notes.
  var status: [UnitStatus] {
    var sums: [UnitStatus] = []
    for status in parts.flatMap(\.unit.status) {
      if let index = sums.firstIndex(where: { $0.name == status.name }) {
        sums[index] = UnitStatus(status.name, sums[index].value + status.value)
      } else {
        sums.append(status)
      }
    }
    return sums
  }

  func performDeferredWork() {
    for part in parts { part.unit.performDeferredWork() }
    align()
  }

  func prepare(for cycle: MIDICycle) {
    for part in parts {
      let events = cycle.events.filter { $0.isPlayed(by: part.channels) }
      events.withUnsafeBufferPointer {
        part.unit.prepare(
          for: MIDICycle(frames: cycle.frames, events: $0, sysEx: cycle.sysEx))
      }
    }
  }

  func save() -> [UInt8] {
    (try? JSONEncoder().encode(parts.map { Data($0.unit.save()) })).map(Array.init) ?? []
  }

  func restore(_ data: [UInt8]) throws {
    if data.isEmpty {
      for part in parts { try part.unit.restore([]) }
      return
    }
    guard let states = try? JSONDecoder().decode([Data].self, from: Data(data)),
      states.count == parts.count
    else { throw SplitStateError(count: parts.count) }
    // If a unit refuses its state, those before it get their previous states back.
    let before = parts.map { $0.unit.save() }
    for (index, part) in parts.enumerated() {
      do {
        try part.unit.restore(Array(states[index]))
      } catch {
        for earlier in 0..<index { try? parts[earlier].unit.restore(before[earlier]) }
        throw error
      }
    }
  }

  /// Delays each unit to the latency of the slowest one.
  private func align() {
    let longest = latency
    for (index, part) in parts.enumerated() {
      state.pointee.delays[index].delay.store(
        UInt32(longest - min(longest, max(0, part.unit.latency))))
    }
  }
}

private struct SplitStateError: Error, CustomStringConvertible {
  let count: Int
  var description: String { "it must be the state of \(count) instruments" }
}

/// The render thread's state of a split.
///
/// Realtime: yes, except for creation.
private struct SplitState: @unchecked Sendable, BitwiseCopyable {
  let delays: UnsafeMutablePointer<AlignmentDelay>
  private let channels: UnsafeMutablePointer<UInt16>
  private let renderers: UnsafeMutablePointer<Renderer>
  private let count: Int
  private let output: UnsafeMutablePointer<UnsafeMutablePointer<Float>>
  private let outputChannels: Int
  private let events: UnsafeMutablePointer<MIDIEvent>

  /// The events of a unit in one cycle. Those beyond it are dropped, which no connection can pass.
  private static var eventCapacity: Int { @_noLocks get { 16_384 } }

  init(_ parts: [(UInt16, Renderer)], _ format: Format, in memory: RenderMemory) {
    count = parts.count
    outputChannels = format.outputChannels
    channels = memory.makeEach(count) { parts[$0].0 }
    renderers = memory.makeEach(count) { parts[$0].1 }
    let channelCount = outputChannels
    delays = memory.makeEach(count) { _ in AlignmentDelay(channels: channelCount, in: memory) }
    output = memory.makeEach(channelCount) { _ in memory.make(format.maximumFrames, of: 0) }
    events = memory.reserve(Self.eventCapacity)
  }

  /// - Returns: Whether a unit has work for another thread.
  @_noLocks mutating func render(_ cycle: RenderCycle) -> Bool {
    for channel in 0..<outputChannels {
      cycle.output[channel].update(repeating: 0, count: cycle.frames)
    }
    var hasWork = false
    for index in 0..<count {
      var part = self.part(index, of: cycle)
      hasWork = renderers[index].render(&part) || hasWork
      let audio = UnsafeRawPointer(output).assumingMemoryBound(to: UnsafePointer<Float>.self)
      delays[index].add(
        AudioInput(audio, count: outputChannels), frames: cycle.frames, to: cycle.output)
    }
    return hasWork
  }

  @_noLocks func isReady(for cycle: RenderCycle) -> Bool {
    var isReady = true
    for index in 0..<count {
      var part = self.part(index, of: cycle)
      isReady = renderers[index].isReady(for: &part) && isReady
    }
    return isReady
  }

  /// Returns the cycle of a unit. It is valid until the next one.
  @_noLocks private func part(_ index: Int, of cycle: RenderCycle) -> RenderCycle {
    var own = 0
    for event in cycle.events where event.isPlayed(by: channels[index]) {
      guard own < Self.eventCapacity else { break }
      events[own] = event
      own += 1
    }
    var part = cycle
    part.midi.events = UnsafeBufferPointer(start: events, count: own)
    part.parameters = UnsafeBufferPointer(start: nil, count: 0)
    part.output = UnsafePointer(output)
    part.midiOutput = MIDIOutput()
    return part
  }
}

extension MIDIEvent {
  /// Whether a unit receives the event.
  ///
  /// - Parameter channels: The unit's channels: bits 0…15.
  @_noLocks fileprivate func isPlayed(by channels: UInt16) -> Bool {
    guard case .channel(let message) = content else { return true }
    return channels & 1 << UInt16(message.channel) != 0
  }
}

@_noLocks private func renderSplit(
  _ state: UnsafeMutableRawPointer, _ cycle: UnsafeRawPointer
) -> Bool {
  state.assumingMemoryBound(to: SplitState.self).pointee.render(cycle.renderCycle)
}

@_noLocks private func prepareSplit(
  _ state: UnsafeMutableRawPointer, _ cycle: UnsafeRawPointer
) -> Bool {
  state.assumingMemoryBound(to: SplitState.self).pointee.isReady(for: cycle.renderCycle)
}
