import FoundationEssentials
import HostConnection
import NodeHost
import RenderCore

/// A chain of nodes, rendered one after the other in the cycle in which it is rendered itself.
///
/// Its latency is the sum of theirs. A node that is late or gone gives silence to the next one.
///
/// `@unchecked Sendable`: the state belongs to the render thread.
final class ChainUnit: RenderUnit, @unchecked Sendable {
  private let connections: [Connection]
  private let state: UnsafeMutablePointer<ChainState>

  /// - Parameter connections: Initialized; one at least.
  init(_ connections: [Connection], _ format: Format) {
    self.connections = connections
    let links = UnsafeMutablePointer<Unmanaged<Connection>>.allocate(capacity: connections.count)
    for (index, connection) in connections.enumerated() {
      (links + index).initialize(to: .passUnretained(connection))
    }
    state = .allocate(capacity: 1)
    state.initialize(to: ChainState(links: links, count: connections.count, format: format))
  }

  deinit {
    state.pointee.links.deallocate()
    state.deallocate()
    for connection in connections { connection.close() }
  }

  var renderer: Renderer { Renderer(state: UnsafeMutableRawPointer(state), renderChain) }

  var latency: Int { connections.reduce(0) { $0 + $1.latency } }

  var tail: Int? {
    var sum = 0
    for connection in connections {
      guard let tail = connection.tail else { return nil }
      sum += tail
    }
    return sum
  }

  var status: [UnitStatus] {
    let lost = connections.count { if case .lost = $0.status { true } else { false } }
    return [UnitStatus("nodes", connections.count), UnitStatus("lost nodes", lost)]
  }

  func save() -> [UInt8] {
    // A node that is gone has no state that one could keep.
    let states = connections.map { try? $0.saveState() }
    return (try? JSONEncoder().encode(states)).map { [UInt8]($0) } ?? []
  }

  func restore(_ data: [UInt8]) throws {
    if data.isEmpty { return }
    guard let states = try? JSONDecoder().decode([UnitState?].self, from: Data(data)),
      states.count == connections.count
    else { throw ChainStateError(nodes: connections.count) }
    // What has been restored when one is refused is put back.
    let before = connections.map { try? $0.saveState() }
    for (index, connection) in connections.enumerated() {
      guard let state = states[index] else { continue }
      do throws(ConnectionError) {
        try connection.restoreState(state)
      } catch {
        for earlier in 0..<index {
          before[earlier].map { try? connections[earlier].restoreState($0) }
        }
        throw error
      }
    }
  }
}

struct ChainStateError: Error, CustomStringConvertible {
  let nodes: Int
  var description: String { "it must be the state of a chain of \(nodes) nodes" }
}

/// What the render thread has of a chain.
struct ChainState: BitwiseCopyable {
  let links: UnsafeMutablePointer<Unmanaged<Connection>>
  let count: Int
  let format: Format
}

extension ChainState {
  @_noLocks func render(_ cycle: RenderCycle) {
    var audio = cycle.input
    for index in 0..<count {
      links[index]._withUnsafeGuaranteedRef { connection in
        for point in cycle.transport {
          connection.setTransport(point.transport, at: Int(point.offset))
        }
        if index == 0 {
          // What finds no room is refused by a FIFO as large as the one it came from: nothing, as a rule.
          for event in cycle.cycle.events { _ = connection.schedule(event, of: cycle.cycle) }
        }
        _ = connection.render(
          frames: cycle.cycle.frames, hostTime: cycle.hostTime, input: audio)
        if index == 0 {
          let received = connection.receivedEvents
          for event in received.events { _ = cycle.midiOutput.pass(event, of: received) }
        }
        audio = connection.audio
      }
    }
    for channel in 0..<format.channels {
      UnsafeMutableRawPointer(cycle.output[channel]).copyMemory(
        from: audio[channel], byteCount: cycle.cycle.frames * MemoryLayout<Float>.stride)
    }
  }
}

@_noLocks @c private func renderChain(
  _ state: UnsafeMutableRawPointer, _ cycle: UnsafeRawPointer
) -> Bool {
  state.assumingMemoryBound(to: ChainState.self).pointee.render(cycle.renderCycle)
  return false
}
