import BatchRenderer
import MIDIFile
import RenderCore
import Testing

private func song(_ names: [String?], notesIn tracks: Set<Int>) -> StandardMIDIFile {
  StandardMIDIFile(
    format: names.count > 1 ? .simultaneous : .singleTrack, division: .ticksPerQuarter(480),
    tracks: names.enumerated().map { index, name in
      let note = StandardMIDIFile.Event(
        tick: 0, .channel(ChannelMessage(.noteOn, channel: 0, 60, 100)))
      return .init(
        (name.map { [.init(tick: 0, .meta(.text($0, .trackName)))] } ?? [])
          + (tracks.contains(index) ? [note] : []))
    })
}

@Test(arguments: [
  ("Careless Love", "Careless Love"), ("  Two\tWords\u{1B} ", "Two Words"), ("Track 1", nil),
  ("Conductor", nil), ("Tempo Track", nil), ("Spår 1", nil), ("untitled", nil), ("1.", nil),
  ("", nil), ("Tempo di Valse", "Tempo di Valse"), ("99 Luftballons", "99 Luftballons"),
])
func `the name of the first track is the title, unless it is that of the track`(
  name: String, title: String?
) {
  #expect(song([name, "Piano"], notesIn: [1]).title == title)
  #expect(song([name], notesIn: [0]).title == title)
}

@Test func `the name of a first track with notes is that of its instrument, as in the others`() {
  #expect(song(["Violin", "Piano"], notesIn: [0, 1]).title == nil)
  #expect(song(["Prelude", nil], notesIn: [0, 1]).title == "Prelude")
  #expect(song([nil, "Piano"], notesIn: [1]).title == nil)
}
