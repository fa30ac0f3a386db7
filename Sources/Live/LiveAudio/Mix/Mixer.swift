import Glibc
package import RenderCore
package import Threads

/// Adds up ports for a sound device. Ports come and go while it plays.
///
/// Realtime: no; what ``renderer`` calls is. Threads: one at a time.
///
/// `@unchecked Sendable`: the state belongs to the device's thread. A list of ports is written only while
/// that thread uses the other one.
package final class Mixer: @unchecked Sendable {
  package let format: Format
  private var ports: [MixPort] = []
  private let state: UnsafeMutablePointer<MixState>
  private let words: UnsafeMutablePointer<UInt32>
  /// One channel of it, and a pointer to that for each channel.
  private let silence: UnsafeMutablePointer<Float>
  private let silences: UnsafeMutablePointer<UnsafePointer<Float>>

  /// The most ports at once.
  package static let capacity = 1024

  /// - Parameter bell: Rung when a unit wants to be tended; must outlive this.
  package init(_ format: Format, bell: DeferredWorkSignal) {
    self.format = format
    words = .allocate(capacity: 3)
    words.initialize(repeating: 0, count: 3)
    let lists = UnsafeMutablePointer<MixList>.allocate(capacity: 2)
    for i in 0..<2 {
      (lists + i).initialize(to: MixList(ports: .allocate(capacity: Self.capacity)))
    }
    let port = UnsafeMutablePointer<UnsafeMutablePointer<Float>>.allocate(capacity: format.channels)
    for channel in 0..<format.channels {
      (port + channel).initialize(to: .allocate(capacity: format.maximumFrames))
    }
    silence = .allocate(capacity: format.maximumFrames)
    silence.initialize(repeating: 0, count: format.maximumFrames)
    silences = .allocate(capacity: format.channels)
    silences.initialize(repeating: UnsafePointer(silence), count: format.channels)
    state = .allocate(capacity: 1)
    state.initialize(
      to: MixState(
        format: format, lists: lists, posted: SharedWord(at: words),
        seen: SharedWord(at: words + 1), hasPlayed: SharedWord(at: words + 2), bell: bell,
        port: port,
        input: AudioInput(UnsafePointer(silences), count: format.channels)))
  }

  /// To be called when the device has stopped.
  deinit {
    for i in 0..<2 { state.pointee.lists[i].ports.deallocate() }
    state.pointee.lists.deallocate()
    for channel in 0..<format.channels { state.pointee.port[channel].deallocate() }
    state.pointee.port.deallocate()
    state.deallocate()
    silences.deallocate()
    silence.deallocate()
    words.deallocate()
  }

  /// For a ``SoundDevice``.
  package var renderer: Renderer { Renderer(state: UnsafeMutableRawPointer(state), renderMix) }

  /// Changes what is mixed.
  ///
  /// - Parameters:
  ///   - ports: At most ``capacity``; in this order they are added.
  ///   - isRunning: Whether the device runs, whose thread then has to take notice first. One that does
  ///     not within a second is stuck.
  /// - Returns: Whether it took notice. If not, what it had is kept, for it may go on one day.
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
    let limit = MonotonicClock.now + 1_000_000_000
    while isRunning, state.pointee.seen.value != number {
      if MonotonicClock.now > limit { return false }
      usleep(1000)
    }
    self.ports = ports
    return true
  }

  /// Whether the device has asked for a cycle: one may be open, and yet take nothing.
  package var hasPlayed: Bool { state.pointee.hasPlayed.value != 0 }

  /// Whether something is heard of any port.
  package var isHeard: Bool { ports.contains { $0.isHeard } }
}
