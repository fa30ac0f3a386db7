import MIDIFile
import RenderCore
import Testing

@Suite(.timeLimit(.minutes(5))) struct EncodingTests {
  typealias File = StandardMIDIFile

  @Test func `writes a whole file, byte for byte`() throws {
    let track = File.Track(
      [
        .init(tick: 0, .meta(.tempo(500_000))),
        .init(tick: 0, .channel(ChannelMessage(.noteOn, channel: 2, 60, 100))),
        .init(tick: 128, .channel(ChannelMessage(.noteOn, channel: 2, 60, 0))),
        .init(tick: 128, .sysEx([0x7E, 0x09])),
        .init(tick: 128, .escape([0xF3, 0x01])),
      ], endTick: 129)
    let file = File(format: .singleTrack, division: .ticksPerQuarter(480), tracks: [track])
    let expected: [UInt8] = [
      0x4D, 0x54, 0x68, 0x64, 0x00, 0x00, 0x00, 0x06,  // "MThd", six bytes
      0x00, 0x00, 0x00, 0x01, 0x01, 0xE0,  // format 0, one track, 480 ticks
      0x4D, 0x54, 0x72, 0x6B, 0x00, 0x00, 0x00, 0x1F,  // "MTrk", 31 bytes
      0x00, 0xFF, 0x51, 0x03, 0x07, 0xA1, 0x20,  // tempo
      0x00, 0x92, 0x3C, 0x64,  // note-on
      0x81, 0x00, 0x3C, 0x00,  // running status, 128 ticks later
      0x00, 0xF0, 0x03, 0x7E, 0x09, 0xF7,  // SysEx with its F7
      0x00, 0xF7, 0x02, 0xF3, 0x01,  // escape
      0x01, 0xFF, 0x2F, 0x00,  // end of track, a tick later
    ]
    var exact = expected
    exact[21] = UInt8(expected.count - 22)
    #expect(try file.encoded() == exact)
    #expect(try file.encoded(runningStatus: false).count == exact.count + 1)
  }

  @Test(
    arguments: [
      .ticksPerQuarter(1), .ticksPerQuarter(32_767), .timeCode(.fps24, ticksPerFrame: 255),
      .timeCode(.fps29Drop, ticksPerFrame: 1),
    ] as [Division])
  func `writes a file that reads as an equal one`(division: Division) throws {
    var numbers = SeededNumbers(state: 3)
    for format in [File.Format.singleTrack, .simultaneous, .sequential] {
      let count = format == .singleTrack ? 1 : 5
      let tracks = (0..<count).map { _ in randomTrack(&numbers) }
      let file = File(format: format, division: division, tracks: tracks)
      for runningStatus in [true, false] {
        let again = try File(decoding: file.encoded(runningStatus: runningStatus))
        #expect(again == file)
        #expect(again.repairs.isEmpty)
      }
    }
  }

  @Test func `writes the longest possible gap, and refuses a longer one`() throws {
    func file(_ gap: Int64) -> File {
      File(
        format: .simultaneous, division: .ticksPerQuarter(96),
        tracks: [File.Track([]), File.Track([.init(tick: gap, .escape([]))])])
    }
    let longest: Int64 = 1 << 28 - 1
    #expect(try File(decoding: file(longest).encoded()) == file(longest))
    let error = #expect(throws: File.EncodingError.gapTooLong(track: 1, tick: longest + 1)) {
      try file(longest + 1).encoded()
    }
    #expect(error?.description.contains("tick 268435456 of track 2") == true)
  }

  @Test func `refuses a gap before the end of a track`() {
    let file = File(
      format: .singleTrack, division: .ticksPerQuarter(96),
      tracks: [File.Track([], endTick: 1 << 28)])
    #expect(throws: File.EncodingError.gapTooLong(track: 0, tick: 1 << 28)) { try file.encoded() }
  }

  private func randomTrack(_ numbers: inout SeededNumbers) -> File.Track {
    var tick: Int64 = 0
    let events = (0..<200).map { _ -> File.Event in
      tick += [0, 1, 127, 128, 16_384, 2_097_152].randomElement(using: &numbers)!
      let data = (0..<Int.random(in: 0...200, using: &numbers)).map { _ in
        UInt8.random(in: 0...255, using: &numbers)
      }
      let content: File.Content =
        switch Int.random(in: 0..<8, using: &numbers) {
        case 0: .sysEx(data.map { $0 & 0x7F })
        case 1: .escape(data)
        case 2: .meta(MetaEvent(type: UInt8.random(in: 0...9, using: &numbers), data: data))
        case 3: .meta(.tempo(UInt32.random(in: 1...0xFF_FFFF, using: &numbers)))
        default:
          .channel(
            ChannelMessage(
              status: UInt8.random(in: 0x80...0xEF, using: &numbers),
              data1: UInt8.random(in: 0...127, using: &numbers),
              data2: UInt8.random(in: 0...127, using: &numbers))!)
        }
      return File.Event(tick: tick, content)
    }
    return File.Track(events, endTick: tick + 5)
  }
}
