import Glibc
package import NodeHost
import RenderCore
import Synchronization
import TestSupport

/// A host that plays a port continuously and compares every cycle bit for bit with the expected audio.
///
/// It renders offline, without deadlines: its audio must be correct regardless of other hosts and of the
/// machine's speed.
package final class Bystander: Sendable {
  private let connection: Connection
  private let isOver = Atomic(false)
  private let renderedCycles = Atomic(0)
  private let faults = Mutex<[String]>([])
  private nonisolated(unsafe) var thread: TestThread?

  /// Initializes the connection and starts a thread that plays.
  package init(_ connection: Connection, seed: UInt64) throws {
    self.connection = connection
    try connection.initialize(Format(maximumFrames: 256), mode: .offline)
    thread = TestThread { [weak self] in
      var part = Part(seed: seed)
      while let self, !self.isOver.load(ordering: .relaxed) {
        if let fault = part.play(self.connection) { self.faults.withLock { $0.append(fault) } }
        self.renderedCycles.add(1, ordering: .relaxed)
        usleep(200)
      }
    }
  }

  /// The number of cycles played so far.
  package var cycles: Int { renderedCycles.load(ordering: .relaxed) }

  /// Stops the thread and closes the connection.
  ///
  /// - Returns: Descriptions of the faults found; empty if the audio was correct.
  package func stop() -> [String] {
    isOver.store(true, ordering: .relaxed)
    thread?.join()
    thread = nil
    connection.close()
    return faults.withLock { $0 }
  }
}

/// Plays random events and computes the expected audio.
private struct Part {
  private var random: Seeded
  private var position = 0
  private var expected: [Int: Float] = [:]

  init(seed: UInt64) { random = Seeded(seed) }

  /// Plays a cycle of random length.
  ///
  /// - Returns: A description of the first fault, or `nil` if the cycle is correct.
  mutating func play(_ connection: Connection) -> String? {
    // The right channel counts frames; a float holds whole numbers exactly only up to 2^24.
    if position > 1 << 23 { return nil }
    for _ in 0..<Int.random(in: 0...6, using: &random) {
      let offset = Int.random(in: 0...600, using: &random)
      let key = UInt8.random(in: 1...127, using: &random)
      let message = ChannelMessage(.noteOn, channel: 3, key, 100)
      if connection.schedule(message, at: offset) != .accepted { return "an event was refused" }
      expected[position + offset, default: 0] += Float(key)
    }
    let frames = Int.random(in: 1...256, using: &random)
    let (status, left, right) = connection.rendered(frames)
    let begin = position
    position += frames
    if status != .rendered { return "cycle at \(begin): \(status)" }
    for i in 0..<frames {
      if left[i] != expected.removeValue(forKey: begin + i) ?? 0 {
        return "frame \(begin + i): left is \(left[i])"
      }
      if right[i] != Float(begin + i) { return "frame \(begin + i): right is \(right[i])" }
    }
    return nil
  }
}
