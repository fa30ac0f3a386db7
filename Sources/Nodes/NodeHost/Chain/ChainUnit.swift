import FoundationEssentials
import NodeProtocol
package import RenderCore

/// A unit that renders a chain of nodes one after the other within its own cycle.
///
/// Its latency is the sum of the nodes' latencies. A node that is late or lost passes silence to the next one.
///
/// `@unchecked Sendable`: `state` is used only by the render thread.
final class ChainUnit: LosableUnit, @unchecked Sendable {
  private let connections: [Connection]
  /// Those of the node, if the chain has one only, like its presets and files.
  let parameters: ParameterStore?
  private let state: UnsafeMutablePointer<ChainState>

  /// - Parameter connections: Initialized connections; at least one.
  init(_ connections: [Connection], _ format: Format) {
    self.connections = connections
    parameters = connections.count == 1 ? connections[0].copyParameters() : nil
    state = .allocate(capacity: 1)
    state.initialize(
      to: ChainState(
        connections: ChainConnections(connections), parameters: parameters?.values,
        channels: format.outputChannels))
  }

  deinit {
    state.pointee.connections.destroy()
    state.deallocate()
    for connection in connections { connection.close() }
  }

  var renderer: Renderer { Renderer(state: UnsafeMutableRawPointer(state), renderChain) }

  var latency: Int { min(connections.reduce(0) { $0 + $1.latency }, Format.longestLatency) }

  var tail: Int? {
    var sum = 0
    for connection in connections {
      guard let tail = connection.tail else { return nil }
      sum += tail
    }
    return min(sum, Int(Int32.max))
  }

  var presets: [Preset] {
    connections.count == 1 ? (try? connections[0].presets()) ?? [] : []
  }

  var files: [UnitFile] {
    connections.count == 1 ? (try? connections[0].files()) ?? [] : []
  }

  var isLost: Bool { state.pointee.connections.hasLostFirst }

  var status: [UnitStatus] {
    let lost = connections.count { if case .lost = $0.status { true } else { false } }
    return [UnitStatus("nodes", connections.count), UnitStatus("lost nodes", lost)]
  }

  func save() -> [UInt8] {
    // The state of a lost node is saved as `null`.
    let states = connections.map { try? $0.saveState() }
    let encoder = JSONEncoder()
    // Sorted, so that equal states have equal bytes.
    encoder.outputFormatting = .sortedKeys
    return (try? encoder.encode(states)).map { [UInt8]($0) } ?? []
  }

  func restore(_ data: [UInt8], files: [String: FileReference]) throws {
    let before = save()
    if data != before { try restore(data) }
    if connections.count > 1 { return }
    do throws(ConnectionError) {
      for (identifier, file) in files {
        try connections[0].setFile(identifier, to: file)
      }
    } catch {
      try? restore(before)
      guard case .refused(let refusal) = error else { throw error }
      throw UnitFileError(refusal.message)
    }
  }

  func restore(_ data: [UInt8]) throws {
    if data.isEmpty { return }
    guard let states = try? JSONDecoder().decode([UnitState?].self, from: Data(data)),
      states.count == connections.count
    else { throw ChainStateError(nodes: connections.count) }
    // If a node refuses its state, the nodes before it get their previous states back.
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

/// A unit in other processes, which may be lost.
package protocol LosableUnit: RenderUnit {
  /// Whether the unit is silent until it is made again. Threads: any.
  var isLost: Bool { get }
}

extension Connection {
  /// Makes a store of the node's parameters, with their present values.
  fileprivate func copyParameters() -> ParameterStore? {
    if parameters.parameters.isEmpty { return nil }
    let store = ParameterStore(parameters)
    if let values = try? parameterValues() {
      for (parameter, value) in zip(parameters.parameters, values) {
        try? store.set(parameter.identifier, to: value)
      }
    }
    return store
  }
}

struct ChainStateError: Error, CustomStringConvertible {
  let nodes: Int
  var description: String { "it must be the state of a chain of \(nodes) nodes" }
}

/// The render thread's state of a chain.
struct ChainState: BitwiseCopyable {
  let connections: ChainConnections
  let channels: Int
  /// The notes and controls that the first node has sent, which end when it is lost.
  private var sent = SourceState()
  /// The parameters of the only node; `nil` if there are several nodes, or it has none.
  private var parameters: ParameterValues?

  init(connections: ChainConnections, parameters: ParameterValues?, channels: Int) {
    self.connections = connections
    self.parameters = parameters
    self.channels = channels
  }

  /// Renders a cycle.
  ///
  /// - Returns: Whether the first node is lost.
  @_noLocks mutating func render(_ cycle: RenderCycle) -> Bool {
    schedule(cycle)
    // Events are dropped if the FIFO is full, which is unlikely because it is as large as the FIFO they came from.
    for event in cycle.events { _ = connections.schedule(event, of: cycle.midi) }
    let audio = connections.render(
      frames: cycle.frames, hostTime: cycle.hostTime, transport: cycle.transport,
      input: cycle.input, feedback: cycle.feedback, isFreewheeling: cycle.isFreewheeling)
    send(cycle.midiOutput)
    for channel in 0..<channels {
      UnsafeMutableRawPointer(cycle.output[channel]).copyMemory(
        from: audio[channel], byteCount: cycle.frames * MemoryLayout<Float>.stride)
    }
    return connections.hasLostFirst
  }

  /// Passes the changes of parameters to the node.
  @_noLocks private mutating func schedule(_ cycle: RenderCycle) {
    guard var values = parameters else { return }
    if values.begin() {
      for index in 0..<values.count where values.isNew(index) {
        connections.schedule(
          ParameterChange(offset: 0, index: UInt32(index), value: values[index]))
      }
    }
    for change in cycle.parameters {
      connections.schedule(change)
      values.apply(change)
    }
    values.advance(frames: cycle.frames)
    values.publish()
    parameters = values
  }

  /// Sends what the first node has sent in this cycle, and ends what it has sent if it is lost.
  @_noLocks private mutating func send(_ output: MIDIOutput) {
    let (received, first) = (connections.received, output.count)
    for event in received.events { _ = output.pass(event, of: received) }
    if output.count > first { output.follow(into: &sent, after: first) }
    if !sent.isEmpty, connections.hasLostFirst { output.end(&sent) }
  }
}

@_noLocks private func renderChain(
  _ state: UnsafeMutableRawPointer, _ cycle: UnsafeRawPointer
) -> Bool {
  state.assumingMemoryBound(to: ChainState.self).pointee.render(cycle.renderCycle)
}
