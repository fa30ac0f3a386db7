import Testing

@testable import ALSA

@Suite(.timeLimit(.minutes(5))) struct PlaybackStateTimeTests {
  private let now: Int64 = 1_000_000_000_000

  @Test func `a frame is heard when all frames before it are, counted from the timestamp`() {
    let stamp = now - 3_000_000
    #expect(PlaybackState.time(of: 480, at: 48_000, after: stamp, now: now) == stamp + 10_000_000)
    #expect(PlaybackState.time(of: 0, at: 44_100, after: now, now: now) == now)
  }

  @Test(arguments: [0, 1_700_000_000_000_000_000, 5_000_000])
  func `an invalid timestamp, or one of another clock, is ignored`(stamp: Int64) {
    #expect(PlaybackState.time(of: 48, at: 48_000, after: stamp, now: now) == now + 1_000_000)
  }

  @Test func `a delay out of range is clamped`() {
    #expect(PlaybackState.time(of: -5, at: 48_000, after: now, now: now) == now)
    #expect(PlaybackState.time(of: .max, at: 48_000, after: now, now: now) == now + 60_000_000_000)
  }
}
