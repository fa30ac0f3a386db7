import Glibc
package import RenderCore
package import Threads

/// Mixes ports for a sound device. Ports can be added and removed while it plays.
///
/// Realtime: no, except ``renderer``. Threads: one at a time.
///
/// `@unchecked Sendable`: the state belongs to the device's thread. A list of ports is written only while
/// that thread uses the other list.
package final class Mixer: @unchecked Sendable {
  package let format: Format
  private var ports: [MixPort] = []
  private let state: UnsafeMutablePointer<MixState>
  private let words = SharedWords(count: 3)
  /// One channel of silence.
  private let silence: UnsafeMutablePointer<Float>
  /// A pointer to ``silence`` for each channel.
  private let silentChannels: UnsafeMutablePointer<UnsafePointer<Float>>
  /// Where the Link session's state is; `nil` to keep the device's transport.
  private let link: LinkMemory?
  /// Kept for the device's thread, which may play for longer than its recorder exists.
  private let recording: MixRing?

  /// The maximum number of ports.
  package static let capacity = 1024

  /// - Parameters:
  ///   - signal: Woken when a unit has deferred work. It must outlive the mixer.
  ///   - isRealTime: Whether the times of cycles are those of `MonotonicClock`.
  ///   - freewheeling: Not 0 while the device requests cycles without a deadline. It must outlive the mixer.
  ///   - link: The Link session that replaces the device's transport.
  ///   - recording: Receives the mix; `nil`: nothing is recorded.
  package init(
    _ format: Format, signal: DeferredWorkSignal, isRealTime: Bool = true,
    freewheeling: SharedWord? = nil, link: LinkMemory? = nil, recording: MixRing? = nil
  ) {
    self.format = format
    self.link = link
    self.recording = recording
    let lists = UnsafeMutablePointer<MixList>.allocate(capacity: 2)
    for i in 0..<2 {
      (lists + i).initialize(to: MixList(ports: .allocate(capacity: Self.capacity)))
    }
    let port = UnsafeMutablePointer<UnsafeMutablePointer<Float>>.allocate(
      capacity: format.outputChannels)
    for channel in 0..<format.outputChannels {
      (port + channel).initialize(to: .allocate(capacity: format.maximumFrames))
    }
    silence = .allocate(capacity: format.maximumFrames)
    silence.initialize(repeating: 0, count: format.maximumFrames)
    silentChannels = .allocate(capacity: format.outputChannels)
    silentChannels.initialize(repeating: UnsafePointer(silence), count: format.outputChannels)
    state = .allocate(capacity: 1)
    state.initialize(
      to: MixState(
        format: format, isRealTime: isRealTime, lists: lists, posted: words[0], seen: words[1],
        cycles: words[2],
        signal: signal, port: port,
        silentInput: AudioInput(UnsafePointer(silentChannels), count: format.outputChannels),
        freewheeling: freewheeling,
        link: link.map { link in
          let follower = UnsafeMutablePointer<LinkFollower>.allocate(capacity: 1)
          follower.initialize(to: LinkFollower(link, sampleRate: format.sampleRate))
          return follower
        },
        recording: recording?.tap ?? .none))
  }

  /// The device must have stopped.
  deinit {
    for i in 0..<2 { state.pointee.lists[i].ports.deallocate() }
    state.pointee.lists.deallocate()
    for channel in 0..<format.outputChannels { state.pointee.port[channel].deallocate() }
    state.pointee.port.deallocate()
    state.pointee.link?.pointee.destroy()
    state.pointee.link?.deallocate()
    state.deallocate()
    silentChannels.deallocate()
    silence.deallocate()
    words.destroy()
  }

  /// The renderer of the mix, for a ``SoundDevice``.
  package var renderer: Renderer { Renderer(state: UnsafeMutableRawPointer(state), renderMix) }

  /// Replaces the list of ports.
  ///
  /// - Parameters:
  ///   - ports: The ports in the order in which they are added; at most ``capacity``.
  ///   - isRunning: Whether the device runs. If it does, the call waits until the device's thread uses the new list, for
  ///     at most one second, or ten while cycles without a deadline wait for units.
  /// - Returns: Whether the new list is in use. If not, the device is stuck, and the ports of both lists stay alive,
  ///   because it may resume with either.
  @discardableResult
  package func set(_ ports: [MixPort], isRunning: Bool) -> Bool {
    precondition(ports.count <= Self.capacity)
    let number = state.pointee.posted.value &+ 1
    let list = state.pointee.lists + Int(number & 1)
    for (index, port) in ports.enumerated() {
      (list.pointee.ports + index).initialize(to: port.state)
    }
    list.pointee.count = ports.count
    state.pointee.posted.store(number)
    let limit =
      MonotonicClock.now
      + (state.pointee.isFreewheeling ? 2 * RenderCycle.longestWait : 1_000_000_000)
    while isRunning, state.pointee.seen.value != number {
      if MonotonicClock.now > limit {
        self.ports += ports
        return false
      }
      usleep(1000)
    }
    self.ports = ports
    return true
  }

  /// The number of cycles that the device has requested, modulo 2³². An open device may never request one.
  package var cycles: UInt32 { state.pointee.cycles.value }

  /// Whether any port is audible.
  package var isAudible: Bool { ports.contains { $0.isAudible } }
}
