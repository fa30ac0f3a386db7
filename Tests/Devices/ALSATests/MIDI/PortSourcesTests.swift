import LiveMIDI
import RenderCore
import SoundTestSupport
import Testing

@testable import ALSA

@Suite(.timeLimit(.minutes(5))) struct PortSourcesTests {
  let recorder = InputRecorder()
  var sources: PortSources
  let keys = PortAddress(client: 24, port: 0)
  let pads = PortAddress(client: 28, port: 0)

  init() { sources = PortSources(name: "Organ", input: recorder.input) }

  @Test mutating func `each source has a number, which it keeps`() {
    press(60, from: keys)
    press(62, from: pads)
    press(64, from: keys)
    #expect(recorder.drain().map(\.source) == [1, 2, 1])
  }

  @Test mutating func `a source that disappears releases only its own keys`() {
    press(60, from: keys)
    press(62, from: pads)
    sources.release(at: 7) { $0 == keys }
    #expect(
      recorder.drain() == [
        .init(content: .channel(.noteOn, 60, 100), source: 1, time: 0),
        .init(content: .channel(.noteOn, 62, 100), source: 2, time: 0),
        .init(content: .channel(.noteOff, 60, 64), source: 1, time: 7),
      ])
  }

  @Test mutating func `a free number is used again`() {
    for _ in 0..<1000 {
      press(60, from: keys)
      sources.release(at: 0) { _ in true }
    }
    press(60, from: pads)
    #expect(Set(recorder.drain().map(\.source)) == [1])
  }

  @Test mutating func `more than 47 sources share the last number that is not for programs`() {
    for client in 1...70 { press(60, from: PortAddress(client: UInt8(client), port: 0)) }
    #expect(recorder.drain().map(\.source) == Array(1...47) + Array(repeating: 47, count: 23))
    sources.release(at: 0) { $0.client == 70 }
    #expect(recorder.drain().map(\.source) == [47])
  }

  @Test mutating func `the port is connected while it has sources`() {
    #expect(sources.connect(keys, named: "Keys") == true)
    #expect(sources.connect(keys, named: "Keys") == false)
    #expect(sources.connect(pads, named: "Pads") == true)
    #expect(recorder.input.sourceNames == ["Keys", "Pads"])
    #expect(sources.disconnect(keys, at: 0) == true)
    #expect(recorder.input.sourceNames == ["Pads"])
    #expect(sources.disconnect(pads, at: 0) == true)
    #expect(sources.disconnect(pads, at: 0) == false)
    #expect(!recorder.input.hasSources)
  }

  @Test mutating func `events of a client that is not connected are played`() {
    press(60, from: keys)
    #expect(recorder.drain().count == 1)
    #expect(!recorder.input.hasSources)
  }

  @Test mutating func `two may send System Exclusive at the same time`() {
    for (part, sender) in [
      ([0xF0, 1], keys), ([0xF0, 2], pads), ([3, 0xF7], keys), ([4, 0xF7], pads),
    ] as [([UInt8], PortAddress)] {
      #expect(sources.receive(.sysEx(part), from: sender, at: 0).count == 0)
    }
    #expect(recorder.drain().map(\.content) == [.sysEx([1, 3]), .sysEx([2, 4])])
  }

  @Test mutating func `a note breaks System Exclusive of the same source, and a clock does not`() {
    _ = sources.receive(.sysEx([0xF0, 1]), from: keys, at: 0)
    press(60, from: pads)
    #expect(sources.receive(.system(.clock), from: keys, at: 0) == DroppedEvents())
    #expect(
      sources.receive(.messages([ChannelMessage(.noteOn, channel: 0, 60, 1)]), from: keys, at: 0)
        == DroppedEvents(brokenSysEx: 1))
    #expect(sources.receive(.sysEx([2, 0xF7]), from: keys, at: 0) == DroppedEvents())
    #expect(
      recorder.drain().map(\.content) == [
        .channel(.noteOn, 60, 100), .system(.clock), .channel(.noteOn, 60, 1),
      ])
  }

  @Test mutating func `dropped events are counted`() {
    #expect(
      sources.receive(.outOfRange(kind: 6), from: keys, at: 0) == DroppedEvents(outOfRange: 1))
    #expect(sources.receive(.sysEx([5]), from: keys, at: 0) == DroppedEvents(brokenSysEx: 1))
    #expect(sources.receive(.other(kind: 50), from: keys, at: 0) == DroppedEvents())
    var dropped = DroppedEvents()
    for _ in 0..<5000 {
      dropped += sources.receive(.system(.clock), from: keys, at: 0)
    }
    #expect(dropped.refused == recorder.input.refused)
    #expect(dropped.refused == 5000 - recorder.drain().count)
    #expect(dropped.refused > 0)
  }

  private mutating func press(_ key: UInt8, from sender: PortAddress) {
    let message = ChannelMessage(.noteOn, channel: 0, key, 100)
    #expect(sources.receive(.messages([message]), from: sender, at: 0).count == 0)
  }
}
