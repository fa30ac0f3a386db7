import FluidSynthEngine
import RenderCore
import Testing

/// Returns whether two notes of one channel, each on its own time axis, have the same fingerprint.
private func areEqual(
  channel: UInt8 = 0, between: [ChannelMessage] = [],
  _ first: [(frame: Int, message: ChannelMessage)],
  _ second: [(frame: Int, message: ChannelMessage)]
) -> Bool {
  var finder = RecurrenceFinder()
  for event in first { finder.process(event.message, at: Int64(event.frame)) }
  for message in between { finder.process(message, at: 150_000) }
  for event in second { finder.process(event.message, at: Int64(200_001 + event.frame)) }
  return finder.finish().next[0] > 0
}

private func on(_ key: UInt8 = 60, _ velocity: UInt8 = 90, channel: UInt8 = 0) -> ChannelMessage {
  ChannelMessage(.noteOn, channel: channel, key, velocity)
}

private func off(_ key: UInt8 = 60, channel: UInt8 = 0) -> ChannelMessage {
  ChannelMessage(.noteOff, channel: channel, key, 64)
}

private func control(_ number: UInt8, _ value: UInt8, channel: UInt8 = 0) -> ChannelMessage {
  ChannelMessage(.controlChange, channel: channel, number, value)
}

private func bend(_ msb: UInt8) -> ChannelMessage {
  ChannelMessage(.pitchBend, channel: 0, 0, msb)
}

@Suite(.timeLimit(.minutes(5))) struct RecurrenceFinderTests {
  @Test func `the same key, velocity and length in blocks make equal notes`() {
    let note = [(0, on()), (1000, off())]
    #expect(areEqual(note, note))
    #expect(areEqual(note, [(0, on()), (961, off())]))
    #expect(!areEqual(note, [(0, on()), (960, off())]))
    #expect(!areEqual(note, [(0, on(60, 91)), (1000, off())]))
    #expect(!areEqual(note, [(0, on(61)), (1000, off(61))]))
    #expect(!areEqual(note, [(0, on())]))
  }

  @Test func `earlier settings of the channel make notes differ, until they are reset`() {
    let note = [(0, on()), (1000, off())]
    #expect(!areEqual(between: [control(7, 90)], note, note))
    #expect(!areEqual(between: [ChannelMessage(.programChange, channel: 0, 3)], note, note))
    #expect(!areEqual(between: [bend(3)], note, note))
    #expect(areEqual(between: [control(7, 90, channel: 1)], note, note))
    let told = [(0, control(7, 80)), (0, on()), (1000, off())]
    #expect(areEqual(between: [control(7, 90), control(7, 80)], told, note))
    #expect(areEqual(between: [control(1, 9), control(121, 0)], note, note))
    #expect(areEqual(between: [control(101, 0), control(100, 2)], note, note))
    #expect(!areEqual(between: [control(101, 0), control(100, 2), control(6, 70)], note, note))
  }

  @Test func `controllers during a note make it differ`() {
    let note = [(0, on()), (1000, off())]
    #expect(!areEqual(note, [(0, on()), (500, bend(3)), (700, bend(64)), (1000, off())]))
    #expect(!areEqual(note, [(0, on()), (1000, off()), (9000, control(11, 3))]))
    #expect(areEqual(note, [(0, on()), (1000, off()), (90_000, control(11, 3))]))
  }

  @Test func `a pedal extends a note`() {
    let pedal = [(0, on()), (500, control(64, 127)), (1000, off()), (90_000, control(64, 0))]
    let shorter = [(0, on()), (500, control(64, 127)), (1000, off()), (89_000, control(64, 0))]
    #expect(areEqual(pedal, pedal))
    #expect(!areEqual(pedal, shorter))
  }

  @Test func `a note-on ends the same key's note, and a drum the notes of its group`() {
    let twice = [(0, on()), (1000, on()), (2000, off())]
    #expect(areEqual(twice, [(0, on()), (1000, off())]))
    let open = [(0, on(46, channel: 9)), (100, off(46, channel: 9))]
    let choked = open + [(5000, on(42, channel: 9))]
    #expect(areEqual(open, open) && areEqual(choked, choked))
    #expect(!areEqual(open, choked))
    #expect(areEqual(open, open + [(5000, on(38, channel: 9))]))
  }

  @Test func `System Exclusive makes later notes differ`() {
    var finder = RecurrenceFinder()
    finder.process(on(), at: 0)
    finder.process(off(), at: 100)
    finder.processSysEx()
    finder.process(on(), at: 200_000)
    finder.process(off(), at: 200_100)
    finder.process(on(), at: 400_000)
    finder.process(off(), at: 400_100)
    #expect(finder.finish().next == [-1, 2, -1])
  }

  @Test func `a pedal that stays down does not make the search slow`() {
    var finder = RecurrenceFinder()
    finder.process(control(64, 127), at: 0)
    for note in 0..<20_000 {
      let key = UInt8(note % 100)
      finder.process(on(key), at: Int64(note * 100))
      finder.process(off(key), at: Int64(note * 100 + 50))
      finder.process(bend(UInt8(note % 128)), at: Int64(note * 100 + 60))
    }
    #expect(finder.finish().kinds.count == 20_000)
  }
}
