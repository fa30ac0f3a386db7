import NodeChain
package import NodeHost
package import RenderCore

/// The chains of nodes that a song plays, side by side, and a metronome beside them: one cycle of all of them.
///
/// What comes out is their sum, each chain held back by what the slowest is later than it. One chain alone keeps its
/// very bits.
///
/// Realtime: no; its ``state`` is. Threads: one at a time.
package final class NodeRack {
  /// From its instrument to its last effect.
  package let chains: [[Connection]]
  private let metronome: (any RenderUnit)?
  /// The render thread's.
  package let state: UnsafeMutablePointer<RackState>

  /// - Parameters:
  ///   - chains: One at least, of connections initialized for two channels.
  ///   - metronome: Made for the same rate and longest cycle.
  package init(_ chains: [[Connection]], metronome: (any RenderUnit)? = nil, maximumFrames: Int) {
    self.chains = chains
    self.metronome = metronome
    state = .allocate(capacity: 1)
    state.initialize(
      to: RackState(
        chains.map { NodeLinks($0) }, metronome: metronome?.renderer, maximumFrames: maximumFrames))
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
}
