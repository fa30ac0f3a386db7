import ALSA
import Testing

@testable import portative

@Suite(.timeLimit(.minutes(5))) struct FrameLineTests {
  @Test func `times between and after the stamps lie on a line`() throws {
    // A clock that runs slow by a thousandth, days after its start.
    let stamps = [0, 480, 960].map { FrameStamp(frame: $0, time: 1 << 50 + Int64($0) * 20_854) }
    let line = try #require(FrameLine(through: stamps))
    for frame in [0, 7, 480, 700, 960, 100_000] {
      #expect(abs(line.time(of: frame) - (1 << 50 + Int64(frame) * 20_854)) <= 1, "\(frame)")
    }
  }

  @Test func `one late stamp among many has little effect`() throws {
    var stamps = (0..<500).map { FrameStamp(frame: $0 * 1000, time: Int64($0) * 20_833_333) }
    stamps[250] = FrameStamp(frame: 250_000, time: stamps[250].time + 5_000_000)
    let line = try #require(FrameLine(through: stamps))
    for frame in [0, 250_000, 499_000] {
      #expect(abs(line.time(of: frame) - Int64(frame / 1000) * 20_833_333) <= 12_000)
    }
  }

  @Test func `two stamps of different frames are needed`() {
    #expect(FrameLine(through: []) == nil)
    let stamp = FrameStamp(frame: 5, time: 5)
    #expect(FrameLine(through: [stamp, stamp]) == nil)
  }
}
