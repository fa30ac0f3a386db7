import Effects
import LiveAudio
import LiveMIDI
import LocalSystem
package import NodeHost
package import RenderCore

/// The state of a ``NodeMixer`` on the render thread.
///
/// Realtime: yes, except creation, and the wait for each node.
package struct NodeMixerState: @unchecked Sendable, BitwiseCopyable {
  private let chainConnections: UnsafeMutablePointer<ChainConnections>
  /// One delay for each chain, and one for the metronome.
  private let delays: UnsafeMutablePointer<AlignmentDelay>
  private let count: Int
  /// The number of chains that play each port of the song.
  private let chainsPerPort: Int
  /// One gate for each chain.
  private let gates: UnsafeMutablePointer<ChainGate>
  /// Whether each chain is acquired for the current cycle.
  private let isAcquired: UnsafeMutablePointer<Bool>
  /// The number of cycles that each chain was closed.
  private let closedCycles: SharedWords
  /// Whether no further chain is rendered after one that is lost or parked.
  private let stopsAtLoss: Bool
  /// The number of late cycles of connections before they were initialized again or replaced.
  private let earlierLateCycles: SharedWord
  private let metronome: Renderer?
  private let metronomeOutput: UnsafeMutablePointer<UnsafeMutablePointer<Float>>
  private var position: Int64 = 0

  init(
    _ chains: [ChainConnections], metronome: Renderer?, maximumFrames: Int, ports: Int,
    stopsAtLoss: Bool, in memory: RenderMemory
  ) {
    count = chains.count
    chainsPerPort = max(1, chains.count / ports)
    self.metronome = metronome
    let connections = memory.makeEach(count) { chains[$0] }
    chainConnections = connections
    memory.onRelease { [count] in for index in 0..<count { connections[index].destroy() } }
    gates = memory.makeEach(count) { _ in ChainGate(in: memory) }
    isAcquired = memory.make(count, of: true)
    delays = memory.makeEach(count + 1) { _ in AlignmentDelay(channels: 2, in: memory) }
    metronomeOutput = memory.makeEach(2) { _ in memory.make(maximumFrames, of: 0) }
    let words = SharedWords(count: 1)
    memory.onRelease(words.destroy)
    earlierLateCycles = words[0]
    closedCycles = SharedWords(count: count)
    memory.onRelease(closedCycles.destroy)
    self.stopsAtLoss = stopsAtLoss
  }

  func setDelay(_ frames: Int, ofChain index: Int) {
    delays[index].delay.store(UInt32(frames))
  }

  /// Sets the factors of a chain's left and right channels. No cycle may be rendered meanwhile.
  package func setGains(left: Float, right: Float, ofChain index: Int) {
    delays[index].left = left
    delays[index].right = right
  }

  /// Acquires every chain that is not closed. ``releaseChains()`` must be called afterwards. Callers that never close a
  /// chain need not call either.
  @_noLocks func acquireChains() {
    for index in 0..<count { isAcquired[index] = gates[index].acquire() }
  }

  @_noLocks func releaseChains() {
    for index in 0..<count where isAcquired[index] { gates[index].release() }
  }

  /// Returns whether the song may play a chain.
  @_noLocks func isSynchronized(_ index: Int) -> Bool {
    isAcquired[index] ? gates[index].isSynchronized : false
  }

  /// Lets the song play an acquired chain.
  @_noLocks func markSynchronized(_ index: Int) {
    if isAcquired[index] { gates[index].markSynchronized() }
  }

  /// Closes a chain to the render thread. Realtime: no, like the next two methods.
  func close(_ index: Int) { gates[index].close() }

  func open(_ index: Int) { gates[index].open() }

  /// Replaces the connections of a closed chain.
  func replace(_ index: Int, by chain: ChainConnections) {
    chainConnections[index].destroy()
    chainConnections[index] = chain
  }

  /// Returns whether the nodes of a chain have answered a cycle since the chain was opened. Realtime: no.
  func hasAnswered(_ index: Int) -> Bool { gates[index].hasAnswered }

  /// The number of cycles that a chain was closed. Realtime: no.
  func closedCycles(_ index: Int) -> Int { Int(closedCycles[index].value) }

  func addEarlier(lateCycles: Int) {
    earlierLateCycles.store(
      earlierLateCycles.value &+ UInt32(truncatingIfNeeded: lateCycles))
  }

  /// Schedules an event for a chain, numbered from 0.
  @_noLocks package func schedule(
    _ event: MIDIEvent, of cycle: MIDICycle, chain index: Int
  ) -> ScheduleStatus {
    isAcquired[index] ? chainConnections[index].schedule(event, of: cycle) : .notRunning
  }

  /// Returns the port of the song that a chain plays, from 0.
  @_noLocks func port(ofChain index: Int) -> Int { index / chainsPerPort }

  package var chainCount: Int { @_noLocks get { count } }

  /// Renders a cycle.
  ///
  /// - Parameters:
  ///   - isHeld: Whether the chains are silent and not rendered, unlike the metronome.
  ///   - output: Two channels.
  ///   - parts: Two channels for each chain, which receive its part of the output; `nil`: they are not needed.
  @_noLocks package mutating func render(
    frames: Int, hostTime: Int64?, transport: UnsafeBufferPointer<TransportPoint>,
    isHeld: Bool = false, into output: UnsafePointer<UnsafeMutablePointer<Float>>,
    parts: UnsafePointer<UnsafeMutablePointer<Float>>? = nil
  ) {
    let isAlone = count == 1 && metronome == nil && delays[0].isUnity
    for channel in 0..<2 where !isAlone {
      output[channel].update(repeating: 0, count: frames)
    }
    for index in 0..<count {
      if stopsAtLoss, index > 0, !chainConnections[index - 1].isRunning { break }
      let part = parts.map { $0 + 2 * index }
      if let part {
        for channel in 0..<2 { part[channel].update(repeating: 0, count: frames) }
      }
      render(
        chain: index, frames: frames, hostTime: hostTime, transport: transport, isHeld: isHeld,
        isAlone: isAlone, into: isAlone ? output : part ?? output)
      guard let part else { continue }
      for channel in 0..<2 {
        let (own, sum) = (part[channel], output[channel])
        if isAlone {
          for frame in 0..<frames { own[frame] = sum[frame] }
        } else {
          for frame in 0..<frames { sum[frame] += own[frame] }
        }
      }
    }
    renderMetronome(frames: frames, transport: transport, into: output)
    position += Int64(frames)
  }

  /// Adds a chain to `output`, or replaces that if the chain is alone.
  @_noLocks private mutating func render(
    chain index: Int, frames: Int, hostTime: Int64?,
    transport: UnsafeBufferPointer<TransportPoint>, isHeld: Bool, isAlone: Bool,
    into output: UnsafePointer<UnsafeMutablePointer<Float>>
  ) {
    if !isAcquired[index] { closedCycles[index].store(closedCycles[index].value &+ 1) }
    guard isAcquired[index], !isHeld else {
      renderSilence(ofChain: index, frames: frames, isAlone: isAlone, into: output)
      return
    }
    let audio = chainConnections[index].render(
      frames: frames, hostTime: hostTime, transport: transport, stopsAtLoss: stopsAtLoss)
    if !gates[index].hasAnswered, chainConnections[index].hasAnswered {
      gates[index].markAnswered()
    }
    if audio.count < 2 {
      renderSilence(ofChain: index, frames: frames, isAlone: isAlone, into: output)
    } else if isAlone {
      for channel in 0..<2 {
        UnsafeMutableRawPointer(output[channel]).copyMemory(
          from: audio[channel], byteCount: frames * MemoryLayout<Float>.stride)
      }
    } else {
      delays[index].add(audio, frames: frames, to: output)
    }
  }

  @_noLocks private func renderSilence(
    ofChain index: Int, frames: Int, isAlone: Bool,
    into output: UnsafePointer<UnsafeMutablePointer<Float>>
  ) {
    if isAlone {
      for channel in 0..<2 { output[channel].update(repeating: 0, count: frames) }
    } else {
      delays[index].addSilence(frames: frames, to: output)
    }
  }

  @_noLocks private func renderMetronome(
    frames: Int, transport: UnsafeBufferPointer<TransportPoint>,
    into output: UnsafePointer<UnsafeMutablePointer<Float>>
  ) {
    guard let metronome else { return }
    var cycle = RenderCycle(
      midi: MIDICycle(frames: frames), position: position, hostTime: 0,
      transport: transport, output: UnsafePointer(metronomeOutput))
    _ = metronome.render(&cycle)
    let audio = UnsafeRawPointer(metronomeOutput).assumingMemoryBound(to: UnsafePointer<Float>.self)
    delays[count].add(AudioInput(audio, count: 2), frames: frames, to: output)
  }

  /// The keyboard input through the first chain in the last cycle.
  package var received: MIDICycle {
    @_noLocks get { isAcquired[0] ? chainConnections[0].received : MIDICycle(frames: 0) }
  }

  /// The number of late cycles since the start, summed over all nodes.
  package var lateCycles: Int {
    @_noLocks get {
      var sum = Int(earlierLateCycles.value)
      for index in 0..<count where isAcquired[index] { sum += chainConnections[index].lateCycles }
      return sum
    }
  }
}

/// Controls whether the render thread may use a chain of nodes, and whether the song may play it.
///
/// A chain whose node is lost is closed, so that another thread can connect and initialize it again. After it is
/// opened, its instruments are new. The song plays them from the scheduled cycle on that sends them its settings.
///
/// Realtime: ``acquire()``, ``release()``, and what marks and tells the state are. Threads: the render
/// thread, except for ``close()`` and ``open()``, which belong to one other thread.
struct ChainGate: BitwiseCopyable {
  private let gate: CallbackGate
  private let needsSettings, answered: SharedWord

  fileprivate init(in memory: RenderMemory) {
    let words = SharedWords(count: 3)
    memory.onRelease(words.destroy)
    (gate, needsSettings, answered) = (CallbackGate(words[0]), words[1], words[2])
  }

  /// - Returns: `false` while the chain is closed; otherwise ``release()`` must be called afterwards.
  @_noLocks fileprivate func acquire() -> Bool { gate.acquire() }

  @_noLocks fileprivate func release() { gate.release() }

  /// Whether the chain's instruments have the song's settings.
  fileprivate var isSynchronized: Bool { @_noLocks get { needsSettings.value == 0 } }

  @_noLocks fileprivate func markSynchronized() { needsSettings.store(0) }

  /// Whether the chain's nodes have answered a cycle since it was opened.
  fileprivate var hasAnswered: Bool { @_noLocks get { answered.value != 0 } }

  @_noLocks fileprivate func markAnswered() { answered.store(1) }

  /// Closes the chain to the render thread. Waits until the thread has released it.
  fileprivate func close() { gate.close() }

  /// Opens the chain to the render thread, with new instruments that lack the song's settings.
  fileprivate func open() {
    needsSettings.store(1)
    answered.store(0)
    gate.open()
  }
}
