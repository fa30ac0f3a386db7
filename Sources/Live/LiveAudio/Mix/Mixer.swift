import Glibc
package import LocalSystem
package import RenderCore

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
  /// What the device's thread uses. The device must have stopped before it is released.
  private let memory = RenderMemory()
  /// Where the Link session's state is; `nil` to keep the device's transport.
  private let link: LinkMemory?
  /// Adds audio that is no port's.
  let input: MixInput
  /// Kept for the device's thread, which may play for longer than its recorder exists.
  private var recording: MixRing?
  /// The rings of a device that is stuck, which may resume with them.
  private var retired: [MixRing] = []

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
    let input = MixInput(format)
    self.input = input
    let memory = memory
    let words = SharedWords(count: 3)
    memory.onRelease(words.destroy)
    let silence = memory.make(format.maximumFrames, of: Float(0))
    let silentChannels = memory.make(format.outputChannels, of: UnsafePointer(silence))
    state = memory.make(
      MixState(
        format: format, isRealTime: isRealTime,
        lists: memory.makeEach(2) { _ in
          MixList(ports: memory.reserve(Self.capacity), recording: recording?.tap ?? .none)
        },
        posted: words[0], seen: words[1], cycles: words[2], signal: signal,
        port: memory.makeEach(format.outputChannels) { _ in memory.reserve(format.maximumFrames) },
        silentInput: AudioInput(UnsafePointer(silentChannels), count: format.outputChannels),
        freewheeling: freewheeling,
        link: link.map {
          memory.make(LinkFollower($0, sampleRate: format.sampleRate, in: memory))
        }, mixInput: input.state))
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
    list.pointee.recording = recording?.tap ?? .none
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

  /// Records the mix in another ring from now on; `nil`: in none. Waits as ``set(_:isRunning:)`` does.
  package func record(in ring: MixRing?, isRunning: Bool) {
    let last = recording
    recording = ring
    if !set(ports, isRunning: isRunning), let last { retired.append(last) }
  }

  /// The number of cycles that the device has requested, modulo 2³². An open device may never request one.
  package var cycles: UInt32 { state.pointee.cycles.value }

  /// Whether any port is audible.
  package var isAudible: Bool { ports.contains { $0.isAudible } }
}
