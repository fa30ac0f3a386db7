import MIDIFile
import RenderCore
import TestSupport
import Testing

@testable import OfflineRenderer

/// Notes that follow each other at once, on three keys of two channels, with a program change before each tenth.
private let scale: StandardMIDIFile = {
  var events: [Event] = []
  for note in 0..<200 {
    let (tick, channel) = (Int64(note) * 1000, UInt8(note % 2))
    if note % 10 == 0 {
      let program = UInt8(note / 10)
      events.append(
        Event(tick: tick, .channel(ChannelMessage(.programChange, channel: channel, program))))
    }
    events.append(on(tick, 60 + UInt8(note / 2 % 3), channel: channel))
    events.append(off(tick + 1000, 60 + UInt8(note / 2 % 3), channel: channel))
  }
  // Ends before what begins at a tick.
  let ordered = events.enumerated().sorted {
    let (a, b) = ($0.element, $1.element)
    return (a.tick, a.isEnd ? 0 : 1, $0.offset) < (b.tick, b.isEnd ? 0 : 1, $1.offset)
  }
  return StandardMIDIFile(
    format: .singleTrack, division: .ticksPerQuarter(24_000),
    tracks: [.init(ordered.map(\.element))])
}()

extension Event {
  fileprivate var isEnd: Bool {
    if case .channel(let message) = content { message.kind == .noteOff } else { false }
  }
}

private struct Note: Equatable {
  var begin, end: Int64
  var channel, key: UInt8
}

/// The notes of a timeline, of which each must end before its key is struck again.
private func notes(_ timeline: Timeline) -> [Note] {
  var notes: [Note] = []
  var held: [UInt16: Int] = [:]
  for event in timeline.events {
    guard case .channel(let message) = event.message else { continue }
    let key = UInt16(message.channel) << 8 | UInt16(message.data1)
    if message.startsNote {
      #expect(held[key] == nil)
      held[key] = notes.count
      notes.append(
        Note(begin: event.frame, end: -1, channel: message.channel, key: message.data1))
    } else if message.kind == .noteOff {
      let index = held.removeValue(forKey: key)
      #expect(index != nil)
      if let index { notes[index].end = event.frame }
    }
  }
  #expect(held.isEmpty)
  return notes
}

private func varied(_ change: (inout NoteVariation) -> Void) throws -> Timeline {
  var settings = RenderSettings()
  change(&settings.changes.variation)
  return try FrameRange(scale, settings).timeline
}

@Suite(.timeLimit(.minutes(5))) struct NoteVariationTests {
  private let written: [Note]

  init() throws { written = notes(try varied { _ in }) }

  @Test(arguments: [0.1, 0.5, 1.0]) func `so many notes are left out, with their ends`(
    drop: Double
  ) throws {
    let timeline = try varied { ($0.drop, $0.seed) = (drop, 3) }
    let kept = notes(timeline)
    #expect(abs(Double(kept.count) - 200 * (1 - drop)) < 30)
    #expect(timeline.noteCount == kept.count)
    let numbers = try #require(timeline.writtenNotes)
    #expect(numbers.map { written[Int($0)] } == kept)
  }

  @Test func `a seed chooses the same notes again, and another one others`() throws {
    func numbers(_ seed: UInt64) throws -> [Int32]? {
      try varied { ($0.drop, $0.jitter, $0.seed) = (0.3, 0.02, seed) }.writtenNotes
    }
    #expect(try numbers(1) == numbers(1))
    #expect(try numbers(1) != numbers(2))
  }

  @Test(arguments: [0.001, 0.01, 0.1], [0, 7] as [UInt64])
  func `notes are moved by at most the jitter, and keep their length`(
    jitter: Double, seed: UInt64
  ) throws {
    let timeline = try varied { ($0.jitter, $0.seed) = (jitter, seed) }
    let moved = notes(timeline)
    let numbers = try #require(timeline.writtenNotes)
    #expect(Set(numbers).count == 200 && moved.count == 200)
    let most = Int64((jitter * 48_000).rounded())
    var shifts: Set<Int64> = []
    for (note, number) in zip(moved, numbers) {
      let old = written[Int(number)]
      #expect((note.channel, note.key) == (old.channel, old.key))
      #expect(abs(note.begin - old.begin) <= most)
      shifts.insert(note.begin - old.begin)
      // It ends earlier only where its key is struck again.
      if note.end - note.begin != old.end - old.begin {
        #expect(moved.contains { $0.begin == note.end && $0.key == note.key })
      }
    }
    #expect(shifts.count > 20 && shifts.contains { $0 < 0 } && shifts.contains { $0 > 0 })
    #expect(timeline.events.map(\.frame) == timeline.events.map(\.frame).sorted())
    #expect(timeline.endFrame >= timeline.events.last?.frame ?? 0)
  }

  @Test func `a note is not moved before the program that it is written with`() throws {
    let timeline = try varied { $0.jitter = 0.1 }
    var programs: [UInt8] = [0, 0]
    var found: [Int32: UInt8] = [:]
    var numbers = (timeline.writtenNotes ?? []).makeIterator()
    for event in timeline.events {
      guard case .channel(let message) = event.message else { continue }
      if message.kind == .programChange { programs[Int(message.channel)] = message.data1 }
      if message.startsNote, let number = numbers.next() {
        found[number] = programs[Int(message.channel)]
      }
    }
    // Those that begin with the program change.
    for number in stride(from: Int32(0), to: 200, by: 10) {
      #expect(found[number] == UInt8(number / 10))
    }
  }
}
