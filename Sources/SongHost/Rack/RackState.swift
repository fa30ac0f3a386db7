import NodeChain
package import NodeHost
import Realtime
package import RenderCore

/// What the render thread has of a rack.
///
/// Realtime: yes, apart from making and destroying it, and from the wait for each node.
package struct RackState: @unchecked Sendable, BitwiseCopyable {
  private let links: UnsafeMutablePointer<NodeLinks>
  /// One for each chain, and one for the metronome.
  private let delays: UnsafeMutablePointer<AlignmentDelay>
  private let count: Int
  private let metronome: Renderer?
  private let clicks: UnsafeMutablePointer<UnsafeMutablePointer<Float>>
  private var position: Int64 = 0

  init(_ chains: [NodeLinks], metronome: Renderer?, maximumFrames: Int) {
    count = chains.count
    self.metronome = metronome
    links = .allocate(capacity: count)
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
    delays.deallocate()
    clicks.deallocate()
  }

  func setDelay(_ frames: Int, ofChain index: Int) {
    delays[index].delay.store(UInt32(frames))
  }

  /// Schedules an event for one of the chains; those are numbered from 0.
  @_noLocks package func schedule(
    _ event: MIDIEvent, of cycle: Cycle, chain index: Int
  ) -> ScheduleStatus {
    links[index].schedule(event, of: cycle)
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

  @_noLocks private func click(
    frames: Int, transport: UnsafeBufferPointer<TransportPoint>,
    into output: UnsafePointer<UnsafeMutablePointer<Float>>
  ) {
    guard let metronome else { return }
    var cycle = RenderCycle(
      cycle: Cycle(
        frames: frames, events: UnsafeBufferPointer(start: nil, count: 0),
        sysEx: UnsafeBufferPointer(start: nil, count: 0)), position: position, hostTime: 0,
      transport: transport, output: UnsafePointer(clicks))
    _ = metronome.render(&cycle)
    let audio = UnsafeRawPointer(clicks).assumingMemoryBound(to: UnsafePointer<Float>.self)
    delays[count].add(AudioInput(audio, count: 2), frames: frames, to: output)
  }

  /// What keyboards played through the first chain in the last cycle.
  package var received: Cycle { @_noLocks get { links[0].received } }

  /// Cycles in which a node was late, added up.
  package var lateCycles: Int {
    @_noLocks get {
      var sum = 0
      for index in 0..<count { sum += links[index].lateCycles }
      return sum
    }
  }
}
