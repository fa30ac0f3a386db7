package import NodeHost
package import RenderCore

/// The chains of nodes that a song plays, side by side, and a metronome beside them: one cycle of all of them.
///
/// What comes out is their sum, each chain held back by what the slowest is later than it. One chain alone keeps its
/// very bits.
///
/// Realtime: no; its ``state`` is. Threads: one at a time.
package final class NodeMixer {
  /// From its instrument to its last effect.
  package private(set) var chains: [[Connection]]
  /// Cycles of each connection before it was initialized last.
  private var earlier: [[CycleStatistics]]
  private var isShut: [Bool]
  private let metronome: (any RenderUnit)?
  /// The render thread's.
  package let state: UnsafeMutablePointer<NodeMixerState>

  /// - Parameters:
  ///   - chains: One at least, of connections initialized for two channels.
  ///   - metronome: Made for the same rate and longest cycle.
  ///   - earlier: Cycles of the same connections before, of each chain; empty: none.
  package init(
    _ chains: [[Connection]], metronome: (any RenderUnit)? = nil, maximumFrames: Int,
    earlier: [[CycleStatistics]] = []
  ) {
    self.chains = chains
    self.metronome = metronome
    self.earlier =
      earlier.isEmpty ? chains.map { $0.map { _ in CycleStatistics() } } : earlier
    isShut = chains.map { _ in false }
    state = .allocate(capacity: 1)
    state.initialize(
      to: NodeMixerState(
        chains.map { ChainConnections($0) }, metronome: metronome?.renderer,
        maximumFrames: maximumFrames))
    state.pointee.addEarlier(lateCycles: self.earlier.joined().reduce(0) { $0 + $1.lateCycles })
    align()
  }

  deinit {
    state.pointee.destroy()
    state.deallocate()
  }

  /// Frames from an event to its sound: those of the slowest chain.
  package private(set) var latency = 0

  /// Holds every chain back by what the slowest is later. To be called again when a latency has changed; a chain then
  /// skips, once.
  package func align() {
    let latencies = chains.map { chain in chain.reduce(0) { $0 + $1.latency } }
    latency = min(latencies.max() ?? 0, AlignmentDelay.longest)
    for (index, own) in latencies.enumerated() {
      state.pointee.setDelay(latency - min(own, latency), ofChain: index)
    }
    if metronome != nil { state.pointee.setDelay(latency, ofChain: latencies.count) }
  }

  /// Whether the metronome clicks in the song, as it does before it where it counts in.
  package var isClicking: Bool {
    get { metronome?.parameters?.all["song"] ?? 0 > 0 }
    set { try? metronome?.parameters?.set("song", to: newValue ? 1 : 0) }
  }

  /// All that it plays.
  package var connections: [Connection] { chains.flatMap { $0 } }

  /// The cycles of each chain's connections since the beginning, however often they were initialized. Not while
  /// somebody renders a chain that is not shut.
  package var statistics: [[CycleStatistics]] {
    chains.indices.map { index in
      zip(chains[index], earlier[index]).map { connection, earlier in
        var sum = earlier
        if !isShut[index] { sum.add(connection.statistics) }
        return sum
      }
    }
  }

  /// Keeps the render thread out of a chain, which is silent from then on, so that its connections can be initialized
  /// or replaced. Waits for a cycle that is being rendered.
  package func shut(_ index: Int) {
    if isShut[index] { return }
    state.pointee.shut(index)
    let late = chains[index].reduce(0) { $0 + $1.statistics.lateCycles }
    earlier[index] = statistics[index]
    isShut[index] = true
    state.pointee.addEarlier(lateCycles: late)
  }

  /// Lets the render thread have a chain again, of connections that are initialized anew.
  package func open(_ index: Int, with connections: [Connection]) {
    chains[index] = connections
    state.pointee.replace(index, by: ChainConnections(connections))
    isShut[index] = false
    state.pointee.open(index)
    align()
  }
}
