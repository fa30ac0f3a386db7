package import LiveAudio
import LocalSystem
import NodeHost
package import RenderCore

/// A sound device without output: it requests each cycle when the previous cycles would have been played.
///
/// `@unchecked Sendable`: the mutable state belongs to its thread, except the atomic stop flag, and `thread`, which
/// only the owner uses.
package final class PacedDevice: SoundDevice, @unchecked Sendable {
  package let format: Format
  package let latency = 0
  package var priority: Int { RealtimePriority.permitted(Self.priority) }
  private let memory = RenderMemory()
  private let output: UnsafeMutablePointer<UnsafeMutablePointer<Float>>
  private let isStopped: SharedWord
  private var thread: SystemThread?

  /// The realtime priority of its thread, if permitted; threads of sound devices have a similar one.
  static let priority = 70

  package init(rate: Int, period: Int) {
    format = Format(sampleRate: rate, maximumFrames: period)
    let memory = memory
    output = memory.makeEach(2) { _ in memory.reserve(period) }
    let words = SharedWords(count: 1)
    memory.onRelease(words.destroy)
    isStopped = words[0]
  }

  package var summary: String {
    "none: \(format.sampleRate) Hz, \(format.maximumFrames) frames, no sound"
  }

  package func start(
    _ renderer: Renderer, report: @escaping @Sendable (SoundDeviceEvent) -> Void
  ) throws(SoundDeviceError) {
    do throws(SystemError) {
      thread = try SystemThread(name: "portative-pace") { [self] in run(renderer, report) }
    } catch {
      throw SoundDeviceError(device: "none", isTemporary: false, reason: "\(error)")
    }
  }

  package func stop() {
    isStopped.store(1)
    isStopped.wake()
    thread?.join()
    thread = nil
  }

  private func run(_ renderer: Renderer, _ report: (SoundDeviceEvent) -> Void) {
    var isRealtime = false
    do throws(RealtimePriorityError) {
      try RealtimePriority.request(Self.priority)
      isRealtime = true
    } catch {
      report(.notRealtime(error))
    }
    // Only now, because threads started by a pinned thread would be pinned to the same processor.
    if isRealtime { AudioHost.keepThreadOnProcessor() }
    var pace = Pace(sampleRate: format.sampleRate, from: MonotonicClock.now)
    var position: Int64 = 0
    while true {
      let time = pace.next(format.maximumFrames, at: MonotonicClock.now)
      while isStopped.value == 0, MonotonicClock.now < time {
        isStopped.wait(while: 0, until: time)
      }
      if isStopped.value != 0 { return }
      var cycle = RenderCycle(
        midi: MIDICycle(
          frames: format.maximumFrames, events: UnsafeBufferPointer(start: nil, count: 0),
          sysEx: UnsafeBufferPointer(start: nil, count: 0)), position: position,
        hostTime: MonotonicClock.now, output: UnsafePointer(output))
      RealtimeSection.begin()
      _ = renderer.render(&cycle)
      RealtimeSection.end()
      position += Int64(format.maximumFrames)
    }
  }
}

/// The timing of a stream without a sound device: each cycle starts when the previous cycles would have been played.
///
/// Times are in nanoseconds, of any clock.
struct Pace {
  private let sampleRate: Int
  private var begin: Int64
  private var frames = 0

  /// The lag up to which the stream catches up, like a sound device with a buffer; after a longer one it is shifted.
  private static let maximumLag: Int64 = 200_000_000

  init(sampleRate: Int, from now: Int64) {
    self.sampleRate = sampleRate
    begin = now
  }

  /// Returns when the next cycle starts: at `now` or later.
  ///
  /// - Parameter count: The number of frames of the cycle.
  mutating func next(_ count: Int, at now: Int64) -> Int64 {
    // Whole seconds are computed separately so that a long song does not overflow.
    let (seconds, rest) = frames.quotientAndRemainder(dividingBy: sampleRate)
    let due =
      begin + Int64(seconds) * 1_000_000_000 + Int64(rest) * 1_000_000_000 / Int64(sampleRate)
    if due < now - Self.maximumLag { begin += now - due }
    frames += count
    return max(due, now)
  }
}
