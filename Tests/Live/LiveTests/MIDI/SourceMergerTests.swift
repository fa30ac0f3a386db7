import RenderCore
import TestSupport
import Testing

@testable import LiveMIDI

@Suite(.timeLimit(.minutes(5))) final class SourceMergerTests {
  private let memory = RenderMemory()
  private let merger: SourceMerger
  private var merged: MergedEvents
  private var frame: Int64 = 0

  init() {
    merger = SourceMerger(sampleRate: 48_000, in: memory)
    merged = MergedEvents(capacity: 4096, in: memory)
  }

  private func message(
    _ kind: ChannelMessage.Kind, _ data1: UInt8, _ data2: UInt8 = 0, channel: UInt8 = 0
  ) -> ChannelMessage {
    ChannelMessage(kind, channel: channel, data1, data2)
  }

  private func control(_ controller: UInt8, _ value: UInt8, channel: UInt8 = 0) -> ChannelMessage {
    message(.controlChange, controller, value, channel: channel)
  }

  /// - Returns: The messages to play.
  @discardableResult
  private func take(_ message: ChannelMessage, from source: UInt8) -> [ChannelMessage] {
    frame += 1000
    merged.clear()
    merged.begin(at: 0, isOfHost: source == 0)
    merger.merge(
      message, from: source, related: source == 0 ? .max : 1, at: frame, into: &merged)
    return messages(merged.toPlay)
  }

  private func messages(_ events: UnsafeBufferPointer<MIDIEvent>) -> [ChannelMessage] {
    events.compactMap { if case .channel(let message) = $0.content { message } else { nil } }
  }

  @Test(arguments: [64, 65, 66, 67, 68, 69] as [UInt8])
  func `a switch is on while any source holds it`(number: UInt8) {
    #expect(take(control(number, 127), from: 1) == [control(number, 127)])
    #expect(take(control(number, 100), from: 2) == [control(number, 100)])
    #expect(take(control(number, 0), from: 1).isEmpty)
    #expect(take(control(number, 0, channel: 1), from: 1) == [control(number, 0, channel: 1)])
    #expect(take(control(number, 63), from: 2) == [control(number, 63)])
  }

  @Test func `all notes off ends only the notes of its source`() {
    take(message(.noteOn, 60, 100), from: 1)
    take(message(.noteOn, 62, 100), from: 1)
    take(message(.noteOn, 60, 100), from: 0)
    take(message(.noteOn, 64, 100), from: 2)
    #expect(take(control(123, 0), from: 1) == [message(.noteOff, 62, 64)])
    #expect(messages(merged.toRecord) == [message(.noteOff, 60, 64), message(.noteOff, 62, 64)])
    #expect(take(message(.noteOff, 60), from: 0) == [message(.noteOff, 60)])
    #expect(take(control(123, 0), from: 1).isEmpty)
    #expect(take(message(.noteOff, 64), from: 2) == [message(.noteOff, 64)])
    #expect(take(control(123, 0), from: 1) == [control(123, 0)])
  }

  @Test(arguments: [120, 124, 125, 126, 127] as [UInt8])
  func `all sound off ends the notes of all sources, and no key stays held`(number: UInt8) {
    take(message(.noteOn, 60, 100), from: 1)
    take(message(.noteOn, 62, 100), from: 2)
    #expect(take(control(number, 0), from: 1) == [control(number, 0)])
    take(message(.noteOn, 60, 100), from: 2)
    #expect(take(message(.noteOff, 60), from: 2) == [message(.noteOff, 60)])
  }

  @Test func `a reset of all controllers keeps switches that another source holds`() {
    take(control(64, 127), from: 1)
    take(control(64, 127), from: 2)
    take(control(67, 127), from: 2)
    take(control(1, 50), from: 2)
    take(message(.pitchBend, 0, 0), from: 1)
    #expect(
      take(control(121, 0), from: 2)
        == [
          control(1, 0), control(67, 0), message(.pitchBend, 0, 64),
        ])
    take(control(66, 127), from: 2)
    #expect(take(control(121, 0), from: 2) == [control(66, 0)])
    #expect(take(control(64, 0), from: 1) == [control(64, 0)])
    #expect(take(control(121, 0), from: 2) == [control(121, 0)])
  }

  @Test func `a system reset clears what its source holds`() {
    take(message(.noteOn, 60, 100), from: 1)
    take(control(64, 127), from: 1)
    take(message(.noteOn, 60, 100), from: 2)
    [0x7E, 0x7F, 0x09, 0x01].withUnsafeBufferPointer { merger.follow(sysEx: $0, from: 1) }
    #expect(take(message(.noteOff, 60), from: 2) == [message(.noteOff, 60)])
    #expect(take(control(64, 0), from: 2) == [control(64, 0)])
  }

  @Test(arguments: [0, 5, 63] as [UInt8])
  func `messages of a single source pass unchanged`(source: UInt8) {
    var numbers = Seeded(UInt64(source))
    for _ in 0..<5000 {
      let message = random(&numbers)
      #expect(take(message, from: source) == [message])
      #expect(messages(merged.toRecord) == (source == 0 ? [] : [message]))
    }
  }

  @Test(arguments: 0..<8)
  func `notes end: a note sounds while any source holds it, and ends with the last`(
    seed: UInt64
  ) {
    var numbers = Seeded(seed)
    var ledgers = [HeldNotes](repeating: HeldNotes(), count: 5)
    var heard = HeldNotes()
    for _ in 0..<4000 {
      let source = UInt8.random(in: 0..<5, using: &numbers)
      let message = random(&numbers)
      // These controllers affect the notes of all sources.
      if message.kind == .controlChange, [120, 124, 125, 126, 127].contains(message.data1) {
        continue
      }
      if Int.random(in: 0..<100, using: &numbers) == 0 {
        // The source is unplugged.
        while let release = ledgers[Int(source)].popRelease() {
          for played in take(release, from: source) { heard.follow(played) }
        }
      } else {
        ledgers[Int(source)].follow(message)
        for played in take(message, from: source) { heard.follow(played) }
      }
      #expect(releases(heard) == ledgers.reduce(into: Set()) { $0.formUnion(releases($1)) })
    }
  }

  private func releases(_ ledger: HeldNotes) -> Set<[UInt8]> {
    var (ledger, releases) = (ledger, Set<[UInt8]>())
    while let release = ledger.popRelease() {
      releases.insert([release.status, release.data1])
    }
    return releases
  }

  /// Returns a random message on few keys and channels, so that sources overlap.
  private func random(_ numbers: inout Seeded) -> ChannelMessage {
    let channel = UInt8.random(in: 0..<2, using: &numbers)
    let value = UInt8.random(in: 0...127, using: &numbers)
    switch Int.random(in: 0..<10, using: &numbers) {
    case 0..<4:
      return message(.noteOn, .random(in: 60..<64, using: &numbers), value, channel: channel)
    case 4..<6:
      return message(.noteOff, .random(in: 60..<64, using: &numbers), 64, channel: channel)
    case 6, 7: return control(.random(in: 62...70, using: &numbers), value, channel: channel)
    case 8:
      return control([1, 7, 121, 123].randomElement(using: &numbers)!, value, channel: channel)
    default: return control(.random(in: 118...127, using: &numbers), 0, channel: channel)
    }
  }
}
