import ConnectionTestSupport
import Glibc
import LocalSystem
import NodeHost
import NodeProtocol
import NodeServer
import RenderCore
import TestSupport
import Testing

/// Tests of the guarantees for a host, regardless of what it and the node do.
@Suite(.timeLimit(.minutes(5))) struct ConnectionLawTests {
  @Test(arguments: [8000, 22_050, 32_000, 44_100, 48_000, 88_200, 96_000])
  func `zero latency: an event acts on its own frame of the same cycle`(rate: Int) throws {
    let server = try TestServer()
    let connection = try server.running(Format(sampleRate: rate, maximumFrames: 256))
    for offset in [0, 1, 63, 64, 100, 255] {
      #expect(connection.schedule(note(60), at: offset) == .accepted)
      let (status, left, _) = connection.rendered(256)
      #expect(status == .rendered)
      #expect(pulsePositions(left) == [offset: 60])
    }
  }

  @Test(arguments: [1, 16, 64, 100, 480, 1024, 0])
  func `cycle: the output does not depend on how it was cut into cycles`(length: Int) throws {
    let server = try TestServer()
    let connection = try server.running(Format(maximumFrames: 1024))
    var random = Seeded(4)
    let total = 8192
    let events = (0..<1000).map { _ in
      (Int.random(in: 0..<total, using: &random), UInt8.random(in: 1...127, using: &random))
    }
    var expected = [Float](repeating: 0, count: total)
    for (frame, key) in events {
      expected[frame] += Float(key)
      #expect(connection.schedule(note(key), at: frame) == .accepted)
    }
    var (left, right): ([Float], [Float]) = ([], [])
    while left.count < total {
      let wanted = length == 0 ? Int.random(in: 1...1024, using: &random) : length
      let cycle = connection.rendered(min(wanted, total - left.count))
      #expect(cycle.status == .rendered)
      left += cycle.left
      right += cycle.right
    }
    #expect(left == expected)
    #expect(right == (0..<total).map(Float.init))
    #expect(server.unit.messages.count == events.count)
  }

  @Test func `nothing lost: a full FIFO refuses, and what it accepted sounds`() throws {
    let server = try TestServer()
    let connection = try server.running()
    var accepted = 0
    while connection.schedule(note(1), at: accepted % 256) == .accepted { accepted += 1 }
    #expect(accepted == 4096)
    #expect(connection.schedule(ChannelMessage(.noteOff, channel: 0, 1), at: 0) == .full)
    #expect(connection.rendered(256).left == [Float](repeating: 16, count: 256))
    #expect(connection.schedule(ChannelMessage(.noteOff, channel: 0, 1), at: 0) == .accepted)
  }

  @Test func `nothing lost: what is scheduled for missed cycles acts, in order`() throws {
    var faults = PulseUnit.Faults()
    faults.delay = 200_000
    faults.delayedEvery = 3
    let server = try TestServer(PulseSource(faults))
    let connection = try server.connect()
    connection.lateLimit = .max
    try connection.initialize(Format(maximumFrames: 64))
    var random = Seeded(6)
    var accepted: [(frame: Int, bytes: [UInt8])] = []
    var position = 0
    for cycle in 0..<2000 {
      for _ in 0..<Int.random(in: 0...4, using: &random) {
        let offset = Int.random(in: 0...100, using: &random)
        let kind = [ChannelMessage.Kind.noteOn, .noteOff].randomElement(using: &random)!
        let message = ChannelMessage(kind, channel: 0, .random(in: 0...127, using: &random), 64)
        if connection.schedule(message, at: offset) == .accepted {
          accepted.append((position + offset, [message.status, message.data1, message.data2]))
        }
      }
      connection.begin(frames: 64)
      _ = connection.finish(within: Bool.random(using: &random) ? 0 : 150_000)
      position += 64
      // Now and then, wait until the node has caught up, so that a busy machine does not fail the test.
      if cycle % 20 == 0 {
        repeat { position += 64 } while !connection.isRendered(within: 1_000_000_000)
      }
    }
    let statistics = connection.statistics
    #expect(statistics.lateCycles > 0)
    #expect(statistics.lateCycles < statistics.cycles)
    // Events that were accepted for later need a few more cycles.
    for _ in 0..<3 {
      _ = connection.caughtUp(64)
    }
    // A stable sort by frame.
    let expected = accepted.enumerated().sorted {
      ($0.element.frame, $0.offset) < ($1.element.frame, $1.offset)
    }
    #expect(server.unit.messages == expected.map { $0.element.bytes })
  }

  @Test func `bounded wait: a host continues if the node never answers`() throws {
    let server = try TestServer()
    let connection = try server.running(Format(maximumFrames: 256), .realtime)
    #expect(eventually { connection.rendered(256).status == .rendered })
    server.unit.close()
    let begin = MonotonicClock.now
    for _ in 0..<10 {
      let (status, left, right) = connection.rendered(256)
      #expect(status == .late)
      #expect(left.allSatisfy { $0 == 0 } && right.allSatisfy { $0 == 0 })
    }
    // One wait of less than 6 ms; the limit of seconds allows for a busy machine.
    #expect(MonotonicClock.now - begin < 5_000_000_000)
    server.unit.open()
    #expect(eventually { connection.rendered(256).status == .rendered })
  }

  @Test func `an offline host waits as long as it takes`() throws {
    let server = try TestServer()
    let connection = try server.running()
    server.unit.close()
    let opener = TestThread { [unit = server.unit] in
      _ = eventually { unit.cycles > 0 }
      usleep(100_000)
      unit.open()
    }
    #expect(connection.rendered(64).status == .rendered)
    opener.join()
  }

  @Test func `many connections begin a cycle before any is finished`() throws {
    let server = try TestServer()
    let connections = try (1...8).map { number in
      try server.server.publish(pulsePort(number), UntrackedPulseSource())
      let connection = try server.connect(pulses(number))
      try connection.initialize(Format(maximumFrames: 64), mode: .offline)
      return connection
    }
    for cycle in 0..<200 {
      for (key, connection) in connections.enumerated() {
        #expect(connection.schedule(note(UInt8(key + 1)), at: cycle % 64) == .accepted)
        #expect(connection.begin(frames: 64, hostTime: 1) == .rendered)
      }
      for (key, connection) in connections.enumerated().reversed() {
        #expect(connection.finish() == .rendered)
        let left = UnsafeBufferPointer(start: connection.output(channel: 0), count: 64)
        #expect(pulsePositions(Array(left)) == [cycle % 64: Float(key + 1)])
      }
    }
  }

  @Test func `System Exclusive of every size arrives complete`() throws {
    let server = try TestServer()
    let connection = try server.running()
    for size in [0, 1, 16, 17, 1000, Connection.longestSysEx] {
      let bytes = [0xF0] + [UInt8](repeating: 1, count: size) + [0xF7]
      let status = bytes.withUnsafeBufferPointer { connection.schedule(bytes: $0, at: 9) }
      #expect(status == .accepted)
      #expect(connection.rendered(64).left[9] == Float(size))
    }
    let tooLong = [0xF0] + [UInt8](repeating: 1, count: Connection.longestSysEx + 1) + [0xF7]
    let status = tooLong.withUnsafeBufferPointer { connection.schedule(bytes: $0, at: 9) }
    #expect(status == .tooLong)
  }
}
