import ALSA
import FoundationEssentials
import Glibc
import LiveAudio
import LiveMIDI
import MIDIFile
import RenderCore
import SoundTestSupport
import Testing

/// Tests with aplaymidi.
@Suite(
  .timeLimit(Rig.timeLimit),
  .enabled(if: Rig.isRealTime, "needs the ALSA sequencer, in real time: make test-alsa"))
struct SongTests {
  @Test func `a song that aplaymidi plays arrives complete`() throws {
    let test = try TestBridge()
    let song = "/usr/share/games/openttd/baseset/openmsx/be_sharp_bw_redfarn.mid"
    var bytes = try [UInt8](Data(contentsOf: URL(filePath: song)))
    let expected = try StandardMIDIFile(decoding: bytes).timeline(sampleRate: 48_000).messages

    // 30 times the ticks per quarter note shorten the song from 3 minutes to 6 seconds.
    let division = (Int(bytes[12]) << 8 | Int(bytes[13])) * 30
    try #require(division < 0x8000)
    bytes[12] = UInt8(division >> 8)
    bytes[13] = UInt8(division & 0xFF)
    let file = FileManager.default.temporaryDirectory.appending(path: "song-\(getpid()).mid")
    try Data(bytes).write(to: file)
    defer { try? FileManager.default.removeItem(at: file) }
    #expect(system("aplaymidi -d 0 -p \(test.port) '\(file.path)' &") == 0)

    let heard = try test.receive(expected.count).map(\.content)
    #expect(heard.prefix(expected.count).elementsEqual(expected.map { .channel($0) }))
    // aplaymidi has ended, and its sounding notes have been released.
    try test.waitUntil(hasSources: false)
    test.tells([
      .wired(sender: "aplaymidi", port: "Organ"), .unwired(sender: "aplaymidi", port: "Organ"),
    ])
  }
}

extension Timeline {
  fileprivate var messages: [ChannelMessage] {
    events.compactMap { if case .channel(let message) = $0.message { message } else { nil } }
  }
}
