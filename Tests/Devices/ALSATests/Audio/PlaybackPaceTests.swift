import Testing

@testable import ALSA

@Suite(.timeLimit(.minutes(5))) struct PlaybackPaceTests {
  /// Plays for some seconds on a device that accepts a period whenever its clock allows, and on average whenever the pace
  /// allows.
  ///
  /// - Parameters:
  ///   - speed: The speed of the device's clock; `nil`: it has none.
  ///   - burst: The periods that the device accepts at once.
  /// - Returns: The number of rests and of accepted frames.
  private func play(
    seconds: Int64, speed: Double?, rate: Int = 48_000, period: Int = 256, buffer: Int = 768,
    burst: Int = 1
  ) -> (rests: Int, frames: Int) {
    var now: Int64 = 5_000_000_000
    let start = now
    var pace = PlaybackPace(rate: rate, at: now)
    var (rests, frames) = (0, 0)
    while now < start + seconds * 1_000_000_000 {
      for _ in 0..<burst {
        frames += period
        let early = pace.add(period, buffer: buffer, at: now)
        if early > 0 {
          rests += 1
          now += early
        }
        // Rendering takes a microsecond.
        now += 1000
      }
      if let speed { now = max(now, start + Int64(Double(frames) / Double(rate) / speed * 1e9)) }
    }
    return (rests, frames)
  }

  @Test(arguments: [(44_100, 64, 128), (48_000, 256, 768), (96_000, 4096, 8192)])
  func `a device without a clock is played in time`(rate: Int, period: Int, buffer: Int) {
    let (rests, frames) = play(
      seconds: 20, speed: nil, rate: rate, period: period, buffer: buffer)
    #expect(rests > 20)
    let seconds = Double(frames) / Double(rate)
    #expect(20..<20.8 ~= seconds, "\(seconds) s")
  }

  @Test(arguments: [0.99, 1, 1.0005, 1.01])
  func `a device with a clock never rests, for hours and in bursts`(speed: Double) {
    #expect(play(seconds: 4000, speed: speed).rests == 0)
    // A sound server that requests 40 ms at a time.
    #expect(play(seconds: 1000, speed: speed, burst: 8).rests == 0)
  }

  @Test func `after a pause, such as that of a suspended machine, nothing is caught up`() {
    var pace = PlaybackPace(rate: 48_000, at: 0)
    #expect(pace.add(256, buffer: 768, at: 0) <= 0)
    let now: Int64 = 3_600_000_000_000
    #expect(pace.add(256, buffer: 768, at: now) <= 0)
    #expect(pace.add(48_000, buffer: 768, at: now) > 900_000_000)
  }
}
