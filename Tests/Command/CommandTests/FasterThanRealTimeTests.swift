import ConnectionTestSupport
import LocalSystem
import NodeHost
import ProgramTestSupport
import RenderCore
import TestSupport
import Testing

/// A host that renders as fast as it can without offline mode, on a busy machine.
@Suite(.timeLimit(.minutes(5))) struct FasterThanRealTimeTests {
  private let user: NodeUser
  private static let cycles = 150
  private static let frames = 256

  init() throws {
    user = try NodeUser()
    try user.user.serve()
  }

  private struct Take {
    var left: [Float] = []
    /// The first cycle that was late or had a defect; `nil`: none.
    var firstTold: Int?
    var lateNotes = 0
  }

  /// Plays bursts with an increasing number of notes, each on a frame of its own.
  private func play(_ mode: RenderMode, patience: Double = 0.9) throws -> Take {
    let connection = try user.connect("Portative: General MIDI")
    defer { connection.close() }
    connection.deadlineFraction = patience
    connection.lateLimit = .max
    try connection.initialize(
      Format(outputChannels: 2, maximumFrames: Self.frames), mode: mode, priority: 0)
    var take = Take()
    for cycle in 0..<Self.cycles {
      if cycle % 3 == 0 {
        for note in 0..<min(100, 20 + cycle) {
          let (key, offset) = (UInt8(20 + note % 90), (note * 37 + cycle) % Self.frames)
          let channel = UInt8(note / 90)
          _ = connection.schedule(ChannelMessage(.noteOn, channel: channel, key, 90), at: offset)
          _ = connection.schedule(
            ChannelMessage(.noteOff, channel: channel, key, 64), at: offset + 2 * Self.frames)
        }
      }
      let (status, left, _) = connection.rendered(Self.frames)
      take.left += left
      let isTold = status != .rendered || !connection.defects.isEmpty
      if isTold, take.firstTold == nil { take.firstTold = cycle }
    }
    take.lateNotes = connection.statistics.lateNotes
    return take
  }

  /// Keeps all processors busy during `body`.
  private func busily<Value>(_ body: () throws -> Value) rethrows -> Value {
    let word = UnsafeMutablePointer<UInt32>.allocate(capacity: 1)
    word.initialize(to: 0)
    let isOver = SharedWord(at: word)
    let loops = (0..<4).map { _ in TestThread { while isOver.value == 0 {} } }
    defer {
      isOver.store(1)
      loops.forEach { $0.join() }
      word.deallocate()
    }
    return try body()
  }

  @Test func `with patience it has the bits of an offline host, and no note is late`()
    throws
  {
    let offline = try play(.offline)
    let heard = try busily { try play(.realtime, patience: 3000) }
    #expect(heard.lateNotes == 0)
    #expect(heard.firstTold == nil)
    #expect(heard.left == offline.left)
    #expect(offline.left.contains { $0 != 0 })
  }

  @Test func `without, it is told of the first cycle that is not as it should be`() throws {
    let offline = try play(.offline)
    try busily {
      for _ in 0..<3 {
        let heard = try play(.realtime)
        let right = (heard.firstTold ?? Self.cycles) * Self.frames
        #expect(heard.left.prefix(right) == offline.left.prefix(right))
      }
    }
  }
}
