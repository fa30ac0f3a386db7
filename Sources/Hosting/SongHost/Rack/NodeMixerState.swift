import LiveAudio
import LiveMIDI
package import NodeHost
package import RenderCore
import Threads

/// What the render thread has of a rack.
///
/// Realtime: yes, apart from making and destroying it, and from the wait for each node.
package struct NodeMixerState: @unchecked Sendable, BitwiseCopyable {
  private let links: UnsafeMutablePointer<ChainConnections>
  /// One for each chain, and one for the metronome.
  private let delays: UnsafeMutablePointer<AlignmentDelay>
  private let count: Int
  /// One for each chain, and the words of all.
  private let gates: UnsafeMutablePointer<ChainGate>
  private let words: UnsafeMutablePointer<UInt32>
  /// Which chains are in use, one for each.
  private let isIn: UnsafeMutablePointer<Bool>
  /// Late cycles of connections that were initialized anew, or replaced.
  private let earlierLateCycles: SharedWord
  private let metronome: Renderer?
  private let clicks: UnsafeMutablePointer<UnsafeMutablePointer<Float>>
  private var position: Int64 = 0

  init(_ chains: [ChainConnections], metronome: Renderer?, maximumFrames: Int) {
    count = chains.count
    self.metronome = metronome
    links = .allocate(capacity: count)
    words = .allocate(capacity: count * ChainGate.wordCount + 1)
    words.initialize(repeating: 0, count: count * ChainGate.wordCount + 1)
    earlierLateCycles = SharedWord(at: words + count * ChainGate.wordCount)
    gates = .allocate(capacity: count)
    isIn = .allocate(capacity: count)
    isIn.initialize(repeating: true, count: count)
    for index in 0..<count {
      (gates + index).initialize(to: ChainGate(words + index * ChainGate.wordCount))
    }
    delays = .allocate(capacity: count + 1)
    for (index, chain) in chains.enumerated() { (links + index).initialize(to: chain) }
    for index in 0...count { (delays + index).initialize(to: AlignmentDelay(channels: 2)) }
    clicks = .allocate(capacity: 2)
    for channel in 0..<2 {
      (clicks + channel).initialize(to: .allocate(capacity: maximumFrames))
      clicks[channel].initialize(repeating: 0, count: maximumFrames)
    }
  }

  func destroy() {
    for index in 0..<count { links[index].destroy() }
    for index in 0...count { delays[index].destroy() }
    for channel in 0..<2 { clicks[channel].deallocate() }
    links.deallocate()
    gates.deallocate()
    words.deallocate()
    isIn.deallocate()
    delays.deallocate()
    clicks.deallocate()
  }

  func setDelay(_ frames: Int, ofChain index: Int) {
    delays[index].delay.store(UInt32(frames))
  }

  /// Takes into use every chain that is not shut. ``leave()`` has to follow. Who never shuts one need not call either.
  @_noLocks func enter() {
    for index in 0..<count { isIn[index] = gates[index].enter() }
  }

  @_noLocks func leave() {
    for index in 0..<count where isIn[index] { gates[index].leave() }
  }

  /// Whether the song may play a chain.
  @_noLocks func isFollowing(_ index: Int) -> Bool {
    isIn[index] ? gates[index].isFollowing : false
  }

  /// Lets the song play a chain that is in use.
  @_noLocks func follow(_ index: Int) {
    if isIn[index] { gates[index].follow() }
  }

  /// Keeps the render thread out of a chain. Realtime: no, as the two that follow.
  func shut(_ index: Int) { gates[index].shut() }

  func open(_ index: Int) { gates[index].open() }

  /// Exchanges the connections of a chain that is shut.
  func replace(_ index: Int, by chain: ChainConnections) {
    links[index].destroy()
    links[index] = chain
  }

  func addEarlier(lateCycles: Int) {
    earlierLateCycles.store(earlierLateCycles.value &+ UInt32(truncatingIfNeeded: lateCycles))
  }

  /// Schedules an event for one of the chains; those are numbered from 0.
  @_noLocks package func schedule(
    _ event: MIDIEvent, of cycle: MIDICycle, chain index: Int
  ) -> ScheduleStatus {
    isIn[index] ? links[index].schedule(event, of: cycle) : .notRunning
  }

  package var chainCount: Int { @_noLocks get { count } }

  /// Renders a cycle.
  ///
  /// - Parameter output: Two channels.
  @_noLocks package mutating func render(
    frames: Int, hostTime: Int64?, transport: UnsafeBufferPointer<TransportPoint>,
    into output: UnsafePointer<UnsafeMutablePointer<Float>>
  ) {
    let isAlone = count == 1 && metronome == nil
    for channel in 0..<2 where !isAlone {
      output[channel].update(repeating: 0, count: frames)
    }
    for index in 0..<count {
      guard isIn[index] else {
        renderSilence(ofChain: index, frames: frames, isAlone: isAlone, into: output)
        continue
      }
      let audio = links[index].render(frames: frames, hostTime: hostTime, transport: transport)
      if isAlone {
        for channel in 0..<2 {
          UnsafeMutableRawPointer(output[channel]).copyMemory(
            from: audio[channel], byteCount: frames * MemoryLayout<Float>.stride)
        }
      } else {
        delays[index].add(audio, frames: frames, to: output)
      }
    }
    click(frames: frames, transport: transport, into: output)
    position += Int64(frames)
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

  @_noLocks private func click(
    frames: Int, transport: UnsafeBufferPointer<TransportPoint>,
    into output: UnsafePointer<UnsafeMutablePointer<Float>>
  ) {
    guard let metronome else { return }
    var cycle = RenderCycle(
      midi: MIDICycle(
        frames: frames, events: UnsafeBufferPointer(start: nil, count: 0),
        sysEx: UnsafeBufferPointer(start: nil, count: 0)), position: position, hostTime: 0,
      transport: transport, output: UnsafePointer(clicks))
    _ = metronome.render(&cycle)
    let audio = UnsafeRawPointer(clicks).assumingMemoryBound(to: UnsafePointer<Float>.self)
    delays[count].add(AudioInput(audio, count: 2), frames: frames, to: output)
  }

  /// What keyboards played through the first chain in the last cycle.
  package var received: MIDICycle {
    @_noLocks get { isIn[0] ? links[0].received : Self.nothing }
  }

  private static var nothing: MIDICycle {
    @_noLocks get {
      MIDICycle(
        frames: 0, events: UnsafeBufferPointer(start: nil, count: 0),
        sysEx: UnsafeBufferPointer(start: nil, count: 0))
    }
  }

  /// Cycles in which a node was late, added up over all nodes, and since the beginning.
  package var lateCycles: Int {
    @_noLocks get {
      var sum = Int(earlierLateCycles.value)
      for index in 0..<count where isIn[index] { sum += links[index].lateCycles }
      return sum
    }
  }
}
