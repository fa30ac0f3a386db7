import Glibc
package import NodeHost
import RenderCore
import Synchronization
import TestSupport

/// A host that plays a port all the time, and compares every cycle with what it must be, bit for bit.
///
/// It waits as long as it takes: its audio must be right whatever happens to others, however slow the machine.
package final class Bystander: Sendable {
  private let connection: Connection
  private let isOver = Atomic(false)
  private let done = Atomic(0)
  private let wrong = Mutex<[String]>([])
  private nonisolated(unsafe) var thread: TestThread?

  /// Begins to play.
  package init(_ connection: Connection, seed: UInt64) throws {
    self.connection = connection
    try connection.initialize(Format(maximumFrames: 256), mode: .offline)
    thread = TestThread { [weak self] in
      var part = Part(seed: seed)
      while let self, !self.isOver.load(ordering: .relaxed) {
        if let fault = part.play(self.connection) { self.wrong.withLock { $0.append(fault) } }
        self.done.add(1, ordering: .relaxed)
        usleep(200)
      }
    }
  }

  /// Cycles that it has played.
  package var cycles: Int { done.load(ordering: .relaxed) }

  /// Ends it.
  ///
  /// - Returns: What was wrong; nothing, let us hope.
  package func stop() -> [String] {
    isOver.store(true, ordering: .relaxed)
    thread?.join()
    thread = nil
    connection.close()
    return wrong.withLock { $0 }
  }
}

/// Random events, and what must come of them.
private struct Part {
  private var random: Seeded
  private var position = 0
  private var expected: [Int: Float] = [:]

  init(seed: UInt64) { random = Seeded(seed) }

  /// - Returns: What is wrong, if anything is.
  mutating func play(_ connection: Connection) -> String? {
    // The right channel counts in whole numbers, as far as a float can.
    if position > 1 << 23 { return nil }
    for _ in 0..<Int.random(in: 0...6, using: &random) {
      let offset = Int.random(in: 0...600, using: &random)
      let key = UInt8.random(in: 1...127, using: &random)
      let message = ChannelMessage(.noteOn, channel: 3, key, 100)
      if connection.schedule(message, at: offset) != .accepted { return "an event is refused" }
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
