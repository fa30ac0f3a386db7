import CRender
import LiveMIDI
import LivePlayer
import LocalSystem
import NodeHost
import NodeProtocol
import NodeServer
import RenderCore
import SoundTestSupport
import Testing

/// Plays a song under RealtimeSanitizer, which ends the process at the first call that allocates, locks or
/// blocks.
@Suite(
  .timeLimit(.minutes(5)),
  .enabled(
    if: realtime_is_checked() != 0,
    "RealtimeSanitizer is not loaded: `make test` runs this with it"))
struct RealtimeTests {
  @Test func `a mixer, a metronome and a recording neither allocate, lock nor block`() throws {
    let notes = (0..<400).map {
      (frame: Int64($0) * 100, key: UInt8(1 + $0 % 120), length: Int64(70))
    }
    let song = try PlayedSong(
      songOfNotes(notes), latencies: [[100, 7], [500]], hasMetronome: true, loop: 0..<0.5,
      mode: .realtime)
    song.host.execute(.toggleRecord)
    try song.host.loop()
    try song.start()
    var performance = Performance()
    for turn in 0..<60 {
      for number in 0..<20 {
        let key = ChannelMessage(.noteOn, channel: 0, UInt8(1 + number), 100)
        song.nodes.ports[0][0].input.send(
          .channel(key), from: LiveInput.Source(1), at: MonotonicClock.now)
      }
      try song.hear(1000, cycles: [256, 31])
      switch turn {
      case 10: song.host.execute(.jump(beat: 0.3))
      case 20: song.host.execute(.stop)
      case 25: song.host.execute(.continue)
      case 30: song.host.mixer.align()
      case 40: song.host.execute(.toggleRecord)
      case 45: song.host.close(chain: 0)
      case 48:
        for connection in song.nodes.chains[0] {
          guard case .initialized(let format) = connection.status else { continue }
          connection.uninitialize()
          try connection.initialize(format)
        }
        song.host.open(chain: 0, with: song.nodes.chains[0])
      default: break
      }
      song.host.recording.drain(into: &performance)
    }
    #expect(song.host.recording.recorded().count > 2 * 30_000)
    #expect(!performance.isEmpty)
    #expect(song.left.contains { $0 != 0 })
  }
}
