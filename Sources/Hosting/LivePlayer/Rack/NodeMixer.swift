import Effects
package import NodeHost
package import RenderCore

/// Mixes one cycle of all parallel chains of nodes that a song plays, and a metronome.
///
/// The output is their sum, with each chain delayed to the latency of the slowest one. A single chain is passed
/// through bit by bit.
///
/// Realtime: no; its ``state`` is. Threads: one at a time.
package final class NodeMixer {
  /// The connections of each chain, from its instrument to its last effect.
  package private(set) var chains: [[Connection]]
  /// The statistics of each connection before its last initialization.
  private var earlier: [[CycleStatistics]]
  private var isClosed: [Bool]
  private let metronome: (any RenderUnit)?
  /// Frames by which each chain is later than its latency.
  private let delays: [Int]
  private let memory = RenderMemory()
  /// The state of the render thread.
  package let state: UnsafeMutablePointer<NodeMixerState>

  /// Creates a mixer.
  ///
  /// - Parameters:
  ///   - chains: At least one, of connections initialized for two output channels, or for several pairs, which are
  ///     added up.
  ///   - metronome: A unit with the same rate and longest cycle.
  ///   - delays: Frames by which each chain is later than its latency; empty: none is.
  ///   - ports: The number of the song's ports, each of which as many chains play: first those of the first port.
  ///   - earlier: The statistics of the same chains in another mixer. They are closed then; empty: they are open.
  ///   - stopsAtLoss: Whether a cycle ends at the first node that is lost or parked, because the song then ends.
  package init(
    _ chains: [[Connection]], metronome: (any RenderUnit)? = nil, maximumFrames: Int,
    delays: [Int] = [], ports: Int = 1, earlier: [[CycleStatistics]] = [],
    stopsAtLoss: Bool = false
  ) {
    self.delays = delays.isEmpty ? chains.map { _ in 0 } : delays
    self.chains = chains
    self.metronome = metronome
    self.earlier =
      earlier.isEmpty ? chains.map { $0.map { _ in CycleStatistics() } } : earlier
    isClosed = chains.map { _ in !earlier.isEmpty }
    state = memory.make(
      NodeMixerState(
        chains.map { ChainConnections($0, mixesPairs: true) }, metronome: metronome?.renderer,
        maximumFrames: maximumFrames, ports: ports,
        stopsAtLoss: stopsAtLoss, in: memory))
    state.pointee.addEarlier(lateCycles: self.earlier.joined().reduce(0) { $0 + $1.lateCycles })
    for index in chains.indices where isClosed[index] { state.pointee.close(index) }
    align()
  }

  /// Frames from an event to its sound: the latency of the slowest chain.
  package private(set) var latency = 0

  /// Delays every chain to the latency of the slowest one. Must be called again when a latency has changed; the audio
  /// of a chain then skips once.
  package func align() {
    let latencies = zip(chains, delays).map { chain, delay in
      chain.reduce(delay) { $0 + $1.latency }
    }
    latency = min(latencies.max() ?? 0, AlignmentDelay.longest)
    for (index, own) in latencies.enumerated() {
      state.pointee.setDelay(latency - min(own, latency), ofChain: index)
    }
    if metronome != nil { state.pointee.setDelay(latency, ofChain: latencies.count) }
  }

  /// Whether the metronome is on during the song, in addition to the count-in.
  package var isClicking: Bool {
    get { metronome?.parameters?.all["song"] ?? 0 > 0 }
    set { try? metronome?.parameters?.set("song", to: newValue ? 1 : 0) }
  }

  /// The connections of all chains.
  package var connections: [Connection] { chains.flatMap { $0 } }

  /// The statistics of each chain's connections since the start, including earlier initializations. Must not be called
  /// while a chain that is not closed is being rendered.
  package var statistics: [[CycleStatistics]] {
    chains.indices.map { index in
      sums(of: index).map { sum in
        var sum = sum
        sum.absentCycles += state.pointee.closedCycles(index)
        return sum
      }
    }
  }

  /// The statistics of a chain's connections, without the cycles in which the chain was closed.
  private func sums(of index: Int) -> [CycleStatistics] {
    zip(chains[index], earlier[index]).map { connection, earlier in
      var sum = earlier
      if !isClosed[index] { sum.add(connection.statistics) }
      return sum
    }
  }

  /// Returns whether the nodes of a chain have answered a cycle since the chain was opened.
  package func hasAnswered(_ index: Int) -> Bool { state.pointee.hasAnswered(index) }

  /// Closes a chain to the render thread, so that its connections can be initialized or replaced. The chain is silent
  /// from then on. Waits for a cycle that is being rendered.
  package func close(_ index: Int) {
    if isClosed[index] { return }
    state.pointee.close(index)
    let late = chains[index].reduce(0) { $0 + $1.lateCycles }
    earlier[index] = sums(of: index)
    isClosed[index] = true
    state.pointee.addEarlier(lateCycles: late)
  }

  /// Opens a chain to the render thread again, with connections that have been initialized again.
  package func open(_ index: Int, with connections: [Connection]) {
    chains[index] = connections
    state.pointee.replace(index, by: ChainConnections(connections, mixesPairs: true))
    isClosed[index] = false
    state.pointee.open(index)
    align()
  }
}
