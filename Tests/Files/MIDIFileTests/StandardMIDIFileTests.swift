import MIDIFile
import Testing

@Suite(.timeLimit(.minutes(5))) struct StandardMIDIFileTests {
  @Test func `is equal to a repaired file with the same content`() throws {
    let sound = try StandardMIDIFile(decoding: header(0) + chunk(note(60) + end))
    let mended = try StandardMIDIFile(decoding: header(0) + chunk(note(60)))
    #expect(sound.repairs.isEmpty)
    #expect(!mended.repairs.isEmpty)
    #expect(sound == mended)
  }

  @Test func `differs by format, by division and by tracks`() {
    typealias File = StandardMIDIFile
    let track = File.Track([])
    let file = File(format: .simultaneous, division: .ticksPerQuarter(96), tracks: [track])
    #expect(file != File(format: .sequential, division: .ticksPerQuarter(96), tracks: [track]))
    #expect(file != File(format: .simultaneous, division: .ticksPerQuarter(97), tracks: [track]))
    #expect(
      file
        != File(format: .simultaneous, division: .ticksPerQuarter(96), tracks: [track, track]))
  }

  @Test func `lists a hundred repairs and counts the rest`() throws {
    // 150 data bytes above 7F, each in its own note-on.
    let events = (0..<150).flatMap { _ -> [UInt8] in [0x00, 0x90, 0x3C, 0xFF] }
    let file = try file(events)
    #expect(file.repairs.count == 100)
    #expect(file.unlistedRepairCount == 50)
    #expect(file.contents.count == 150)
  }

  @Test func `a file that no header can describe is a precondition failure`() async {
    await #expect(processExitsWith: .failure) {
      _ = StandardMIDIFile(format: .simultaneous, division: .ticksPerQuarter(96), tracks: [])
    }
    await #expect(processExitsWith: .failure) {
      let track = StandardMIDIFile.Track([])
      _ = StandardMIDIFile(
        format: .singleTrack, division: .ticksPerQuarter(96), tracks: [track, track])
    }
    await #expect(processExitsWith: .failure) {
      let track = StandardMIDIFile.Track([])
      _ = StandardMIDIFile(format: .singleTrack, division: .ticksPerQuarter(0), tracks: [track])
    }
  }
}
