import LocalSystem
import NodeProtocol
import RenderCore
import TestSupport
import Testing

@testable import NodeHost

@Suite(.timeLimit(.minutes(5))) struct HostStateTests {
  @Test func `an answered cycle is rendered`() throws {
    let both = try BothSides()
    #expect(both.post() == nil)
    #expect(both.node.cycle.frames == 64)
    #expect(both.node.cycle.hostTime == 5)
    both.answer(0.5)
    #expect(both.finish() == .rendered)
    #expect(both.finish() == .rendered)
    #expect(both.output == 0.5)
    #expect(both.state.statistics.pointee.cycles == 1)
    #expect(both.state.statistics.pointee.lateCycles == 0)
    #expect(both.state.statistics.pointee.roundTrips.count == 1)
  }

  @Test func `the position advances by the requested frames, rendered or not`() throws {
    let both = try BothSides()
    for (frames, position) in [(10, 0), (64, 10), (1, 74)] {
      #expect(both.post(frames) == nil)
      #expect(both.node.cycle.position == Int64(position))
      both.answer()
      #expect(both.finish() == .rendered)
    }
    #expect(both.post(5) == nil)
    #expect(both.finish() == .late)
    #expect(both.post(7) == .late)
    both.answer()
    #expect(both.post(9) == nil)
    #expect(both.node.cycle.position == 75 + 5 + 7)
  }

  @Test func `a late cycle is silent, and its answer is discarded`() throws {
    let both = try BothSides()
    _ = both.cycle()
    #expect(both.post() == nil)
    #expect(both.finish() == .late)
    #expect(both.output == 0)
    // The node still renders the previous cycle, so the host neither posts another nor waits.
    #expect(both.post() == .late)
    #expect(both.finish(within: nil) == .late)
    #expect(both.node.cycle.posted.value == 2)
    both.answer(7)
    #expect(both.output == 0)
    #expect(both.post() == nil)
    #expect(both.finish() == .late)
    both.answer(8)
    #expect(both.output == 0)
    #expect(both.state.statistics.pointee.lateCycles == 3)
  }

  @Test func `the round trip of a cycle is stated with the next, and 0 after a late one`() throws {
    let both = try BothSides()
    #expect(both.post() == nil)
    #expect(both.node.cycle.roundTrip == 0)
    both.answer()
    #expect(both.finish() == .rendered)
    #expect(both.post() == nil)
    #expect(both.node.cycle.roundTrip > 0)
    #expect(Int64(both.node.cycle.roundTrip) == both.state.statistics.pointee.roundTrips.longest)
    #expect(both.finish() == .late)
    both.answer()
    #expect(both.post() == nil)
    #expect(both.node.cycle.roundTrip == 0)
  }

  @Test func `an answer with another number is ignored`() throws {
    let both = try BothSides()
    #expect(both.post() == nil)
    for number in [0, 2, 77, .max] as [UInt32] {
      both.node.cycle.answered.store(number)
      #expect(both.state.awaitAnswer(until: 0, timer: 0) == .late)
    }
    both.node.cycle.answered.store(1)
    #expect(both.finish() == .rendered)
  }

  @Test func `the events of a missed cycle act in the next, and nothing is lost`() throws {
    let both = try BothSides()
    #expect(both.post() == nil)
    #expect(both.finish() == .late)
    #expect(both.schedule(note(1), at: 5) == .accepted)
    #expect(both.schedule(note(2), at: 64 + 6) == .accepted)
    #expect(both.post() == .late)
    #expect(both.schedule(ChannelMessage(.noteOff, channel: 0, 1), at: 0) == .accepted)
    both.answer()
    #expect(both.cycle() == [[0, 1], [0, 1], [6, 2]])
    #expect(both.reader.late == 1)
  }

  @Test func `cycle numbers wrap`() throws {
    let both = try BothSides()
    both.state.number = .max - 2
    both.node.cycle.answered.store(.max - 2)
    for round in 0..<6 {
      #expect(both.post() == nil)
      if round == 2 {
        #expect(both.finish() == .late)
        #expect(both.post() == .late)
        both.answer()
      } else {
        both.answer(Float(round))
        #expect(both.finish() == .rendered)
        #expect(both.output == Float(round))
      }
    }
    #expect(both.state.number == 3)
  }

  @Test(arguments: [0, -1, 65, .max, .min])
  func `a frame count beyond the format is not sent to the node`(frames: Int) throws {
    let both = try BothSides()
    #expect(both.schedule(note(1), at: 0) == .accepted)
    #expect(both.post(frames) == .badFrameCount)
    #expect(both.finish(within: nil) == .badFrameCount)
    #expect(both.node.cycle.posted.value == 0)
    #expect(both.cycle() == [[0, 1]])
    #expect(both.node.cycle.position == 0)
  }

  @Test(arguments: [Int64.min, -1, 0])
  func `a limit in the past does not wait`(limit: Int64) throws {
    let both = try BothSides(mode: .offline)
    #expect(both.post() == nil)
    #expect(both.finish(within: limit) == .late)
  }

  @Test func `with the longest limit, the host waits until the answer`() throws {
    let both = try BothSides()
    #expect(both.post() == nil)
    let node = TestThread { [cycle = both.node.cycle] in
      cycle.answered.store(1)
      cycle.answered.wake()
    }
    #expect(both.finish(within: .max) == .rendered)
    node.join()
  }

  @Test func `a node that changes its answer continuously cannot extend the wait`() throws {
    let both = try BothSides()
    #expect(both.post() == nil)
    let isOver = SharedWord(at: UnsafeMutablePointer<UInt32>.allocate(capacity: 1))
    isOver.store(0)
    let node = TestThread { [cycle = both.node.cycle] in
      var number: UInt32 = 2
      while isOver.value == 0 {
        number = number == .max ? 2 : number + 1
        cycle.answered.store(number)
        cycle.answered.wake()
      }
    }
    #expect(both.finish(within: 2_000_000) == .late)
    isOver.store(1)
    node.join()
  }

  @Test func `too many consecutive late cycles park the connection, which then does not wait`()
    throws
  {
    let both = try BothSides(lateLimit: 3)
    #expect(both.post() == nil)
    #expect(both.finish() == .late)
    #expect(both.post() == .late)
    both.answer()
    // A cycle in time resets the count.
    #expect(both.post() == nil)
    both.answer()
    #expect(both.finish() == .rendered)
    #expect(both.post() == nil)
    for _ in 0..<3 { #expect(both.post() == .late) }
    #expect(both.phase.parkReason == .late)
    #expect(both.post() == .parked)
    #expect(both.finish(within: nil) == .parked)
    both.answer()
    #expect(both.post() == .parked)
    #expect(both.output == 0)
  }

  @Test func `a connection that is lost ends the wait of an offline host`() throws {
    let both = try BothSides(mode: .offline)
    #expect(both.post() == nil)
    let watcher = TestThread { [phase = both.phase, cycle = both.host.cycle] in
      phase.lose(.nodeEnded)
      cycle.answered.wake()
    }
    #expect(both.finish(within: nil) == .connectionLost)
    watcher.join()
    #expect(both.post() == .connectionLost)
  }

  @Test func `events that a node claims to have read twice are not sent twice`() throws {
    let both = try BothSides()
    // More than the FIFO holds, although the node claims to have read nothing.
    for key in 0..<100 { #expect(both.schedule(note(key), at: 0) == .accepted) }
    #expect(both.cycle().map { $0[1] } == Array(0..<100))
    #expect(both.cycle().isEmpty)
  }

  @Test func `if a node does not read, the FIFO becomes full, and nothing is overwritten`()
    throws
  {
    let both = try BothSides()
    var accepted = 0
    for _ in 0..<3 {
      while both.schedule(note(accepted & 127), at: 0) == .accepted { accepted += 1 }
      #expect(both.post() == nil)
      both.node.cycle.answered.store(both.node.cycle.posted.value)
      #expect(both.finish() == .rendered)
    }
    #expect(accepted == 2 * SegmentLayout.eventSlots)
    let keys = (both.cycle() + both.cycle()).map { $0[1] }
    #expect(keys == (0..<accepted).map { $0 & 127 })
  }
}
