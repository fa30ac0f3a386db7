import MIDIFile
import RenderCore
import Testing

@testable import OfflineRenderer

/// An event from a reader, with its frame counted from the beginning.
private struct Heard: Equatable {
  var frame: Int
  var message: ChannelMessage?
  var sysEx: [UInt8]?
}

private func play(
  _ song: StandardMIDIFile, end: Int? = nil, frames: Int, to limit: Int = 10_000
) throws -> (heard: [Heard], notes: Int, feed: TimelineReader) {
  let timeline = try song.timeline(sampleRate: 48_000)
  var feed = TimelineReader(timeline, end: end ?? Int(timeline.endFrame))
  var heard: [Heard] = []
  var total = 0
  while feed.now < limit {
    let now = feed.now
    feed.withNext(frames) { song in
      total += song.notes
      let cycle = song.midi
      #expect(cycle.frames == frames)
      #expect(song.origins.count == cycle.events.count)
      for event in cycle.events {
        #expect(event.offset < frames)
        var next = Heard(frame: now + Int(event.offset))
        switch event.content {
        case .channel(let message): next.message = message
        case .sysEx(let start, let count):
          next.sysEx = Array(cycle.sysEx[Int(start)..<Int(start + count)])
        case .system: Issue.record("a file has no system message")
        }
        heard.append(next)
      }
    }
  }
  return (heard, total, feed)
}

private let music = song(
  [
    on(0, 60), Event(tick: 5, .sysEx([1, 2, 3])), on(63, 61), on(64, 62), off(64, 61),
    control(100, 64, 127), on(128, 63), off(1000, 60), off(1000, 62),
  ], end: 1000)

@Test(arguments: [1, 7, 64, 1000, 1001, 4096])
func `every event falls on its frame, whatever the length of a cycle`(frames: Int) throws {
  let (heard, notes, feed) = try play(music, frames: frames)
  #expect(heard.map(\.frame) == [0, 5, 63, 64, 64, 100, 128, 1000, 1000, 1000, 1000])
  #expect(heard[1].sysEx == [1, 2, 3])
  #expect(heard[6].message == ChannelMessage(.noteOn, channel: 0, 63, 100))
  #expect(notes == 4)
  // The reader releases the last key and the pedal, which the song left down; the note-offs on the last
  // frame play.
  #expect(heard[9].message == ChannelMessage(.noteOff, channel: 0, 63, 64))
  #expect(heard[10].message == ChannelMessage(.controlChange, channel: 0, 64, 0))
  #expect(feed.unreleasedNotes == 1)
}

@Test(arguments: [1, 64, 500])
func `at the end of a song notes are released, and none begins`(frames: Int) throws {
  let (heard, notes, feed) = try play(music, end: 64, frames: frames)
  #expect(heard.map(\.frame) == [0, 5, 63, 64, 64])
  // The note-on on the last frame is omitted, the note-off is not.
  #expect(heard[3].message == ChannelMessage(.noteOff, channel: 0, 61, 64))
  #expect(heard[4].message == ChannelMessage(.noteOff, channel: 0, 60, 64))
  #expect(notes == 2 && feed.unreleasedNotes == 1)
}

@Test func `a song without length has its notes and pedals, and they are released`() throws {
  let (heard, notes, feed) = try play(song([on(0, 60), control(0, 64, 127)]), frames: 64)
  #expect(
    heard.map(\.message) == [
      ChannelMessage(.noteOn, channel: 0, 60, 100),
      ChannelMessage(.controlChange, channel: 0, 64, 127),
      ChannelMessage(.noteOff, channel: 0, 60, 64),
      ChannelMessage(.controlChange, channel: 0, 64, 0),
    ])
  #expect(notes == 1 && feed.unreleasedNotes == 1)
}

@Test(arguments: [1, 64, 480, 500])
func `a note on the song's last tick is played`(frames: Int) throws {
  let (heard, notes, feed) = try play(song([on(0, 42), on(480, 49)], end: 480), frames: frames)
  #expect(heard.map(\.frame) == [0, 480, 480, 480])
  #expect(heard[1].message == ChannelMessage(.noteOn, channel: 0, 49, 100))
  #expect(notes == 2 && feed.unreleasedNotes == 2)
}
