import Foundation
import MIDIFile
import ProgramTestSupport
import RenderCore
import TestSupport
import Testing

private typealias Event = StandardMIDIFile.Event

private func note(_ kind: ChannelMessage.Kind, _ tick: Int64, channel: UInt8 = 0) -> Event {
  .init(tick: tick, .channel(.init(kind, channel: channel, 69, 100)))
}

private func put(_ tracks: [[Event]], in folder: TemporaryFolder, _ name: String) throws -> String {
  let song = StandardMIDIFile(
    format: .simultaneous, division: .ticksPerQuarter(480), tracks: tracks.map { .init($0) })
  return try folder.put(Data(song.encoded()), name)
}

/// Returns the bytes of the audio of two songs, and what was written about the first.
private func render(
  _ song: [[Event]], _ other: [[Event]], in folder: TemporaryFolder
) throws -> (Data, Data, ProgramResult) {
  let result = try render(
    put(song, in: folder, "song.mid"), "-o", folder("song.wav"), "--report", folder("song.json"))
  #expect(result.exitCode == 0, "\(result.errors)")
  let wanted = try render(put(other, in: folder, "other.mid"), "-o", folder("other.wav"))
  #expect(wanted.errors.contains("repaired") == false)
  return (
    try Data(contentsOf: URL(filePath: folder("song.wav"))),
    try Data(contentsOf: URL(filePath: folder("other.wav"))), result
  )
}

@Test func `repeated notes whose ends follow the next beginning sound, each for its length`() throws
{
  let folder = try TemporaryFolder()
  // As Verovio 5.1 writes them.
  let written = [
    note(.noteOn, 0), note(.noteOn, 480), note(.noteOff, 480), note(.noteOn, 960),
    note(.noteOff, 960), note(.noteOff, 1440),
  ]
  let meant = [
    note(.noteOn, 0), note(.noteOff, 480), note(.noteOn, 480), note(.noteOff, 960),
    note(.noteOn, 960), note(.noteOff, 1440),
  ]
  let (audio, wanted, result) = try render([written], [meant], in: folder)
  #expect(audio == wanted)
  #expect(
    result.errors.contains(
      "warning: repaired: track 1, tick 480: 2 note-offs of earlier notes stand after a note-on of "
        + "the same key and tick; they were played before them"))
  let report = try String(contentsOf: URL(filePath: folder("song.json")), encoding: .utf8)
  #expect(report.contains(#""tick":480"#) && report.contains(#""track":0"#))
}

@Test func `a program in a later track sets up the note at its tick`() throws {
  let folder = try TemporaryFolder()
  let program = Event(tick: 0, .channel(.init(.programChange, channel: 0, 48)))
  let notes = [note(.noteOn, 0), note(.noteOff, 480)]
  let (audio, wanted, _) = try render([notes, [program]], [[program], notes], in: folder)
  #expect(audio == wanted)
}
