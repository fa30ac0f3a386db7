import MIDIFile
import RenderCore
import Testing

@Suite(.timeLimit(.minutes(5))) struct TrackTests {
  typealias Track = StandardMIDIFile.Track
  typealias Event = StandardMIDIFile.Event

  @Test func `ends with its last event by default`() {
    let note = Event(tick: 7, .channel(ChannelMessage(.noteOn, channel: 0, 60, 1)))
    #expect(Track([note]).endTick == 7)
    #expect(Track([note], endTick: 9).endTick == 9)
    #expect(Track([]).endTick == 0)
  }

  @Test func `is named by its first name`() {
    let track = Track([
      Event(tick: 0, .meta(.text("a lyric", .lyric))),
      Event(tick: 0, .meta(.text("Flute", .trackName))),
      Event(tick: 0, .meta(.text("Oboe", .trackName))),
    ])
    let file = StandardMIDIFile(
      format: .simultaneous, division: .ticksPerQuarter(480), tracks: [track, Track([])])
    #expect(file.trackNames == ["Flute", nil])
  }

  @Test func `ticks out of order are a precondition failure`() async {
    await #expect(processExitsWith: .failure) {
      _ = StandardMIDIFile.Track([.init(tick: 5, .escape([])), .init(tick: 4, .escape([]))])
    }
    await #expect(processExitsWith: .failure) {
      _ = StandardMIDIFile.Track([.init(tick: -1, .escape([]))])
    }
    await #expect(processExitsWith: .failure) {
      _ = StandardMIDIFile.Track([.init(tick: 5, .escape([]))], endTick: 4)
    }
  }

  @Test func `bytes that the kind cannot hold are a precondition failure`() async {
    await #expect(processExitsWith: .failure) {
      _ = StandardMIDIFile.Track([.init(tick: 0, .sysEx([0x7E, 0xF7]))])
    }
    await #expect(processExitsWith: .failure) {
      _ = StandardMIDIFile.Track([.init(tick: 0, .meta(MetaEvent(type: 0x2F, data: [])))])
    }
    await #expect(processExitsWith: .failure) {
      _ = StandardMIDIFile.Track([.init(tick: 0, .meta(MetaEvent(type: 0x80, data: [])))])
    }
  }
}
