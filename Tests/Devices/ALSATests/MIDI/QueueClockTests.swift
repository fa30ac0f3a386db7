import Testing

@testable import ALSA

/// The queue started 5 s after the machine. Frames are at 48 kHz.
@Suite(.timeLimit(.minutes(5))) struct QueueClockTests {
  var clock = QueueClock()
  static let begin: Int64 = 5_000_000_000
  static let frame = 1e9 / 48_000

  // Times of a queue, each followed by CLOCK_MONOTONIC, in nanoseconds. Recorded with the HR timer on an
  // emulated machine whose host was busy: interrupts are up to 0.7 ms late.
  static let recorded: [(queue: UInt64, monotonic: Int64)] = [
    (250_415_745, 5_587_168_371), (352_139_745, 5_688_764_741),
    (452_812_085, 5_789_424_251), (553_441_514, 5_890_004_681),
    (653_864_014, 5_990_456_881), (754_448_644, 6_091_053_091),
    (854_907_204, 6_191_498_021), (956_210_034, 6_293_376_041),
    (1_057_254_925, 6_394_341_241), (1_162_041_996, 6_498_605_441),
    (1_262_465_933, 6_599_052_601), (1_362_883_793, 6_699_473_091),
    (1_463_269_445, 6_799_847_591), (1_563_752_636, 6_900_346_951),
    (1_664_243_263, 7_000_871_711), (1_764_762_479, 7_101_366_121),
    (1_865_198_619, 7_201_814_651), (1_965_757_977, 7_302_337_981),
    (2_066_203_916, 7_402_773_041), (2_166_624_907, 7_503_199_671),
    (2_267_152_801, 7_603_744_521), (2_367_560_798, 7_704_157_431),
    (2_468_020_480, 7_804_602_461), (2_568_381_584, 7_905_021_291),
    (2_668_921_997, 8_005_483_091), (2_769_478_257, 8_106_047_201),
  ]

  @Test mutating func `without a sample or a timestamp, an event has the current time`() {
    #expect(clock.isDue(at: 0))
    #expect(clock.time(of: 17, now: 1000) == 1000)
    clock.sample(queueTime: 0, now: 1000)
    #expect(clock.time(of: nil, now: 2000) == 2000)
  }

  @Test mutating func `one sample in a tenth of a second is enough`() {
    clock.sample(queueTime: 0, now: Self.begin)
    #expect(!clock.isDue(at: Self.begin + 99_999_999))
    #expect(clock.isDue(at: Self.begin + 100_000_000))
  }

  @Test mutating func `late interrupts do not change the times of events`() throws {
    var distances: [Int64] = []
    for sample in Self.recorded {
      clock.sample(queueTime: sample.queue, now: sample.monotonic)
      let stamp = sample.queue - 50_000_000
      distances.append(clock.time(of: stamp, now: sample.monotonic) - Int64(stamp))
    }
    // The samples differ by 0.8 ms; after four of them, the results differ by less than a frame.
    let known = distances.dropFirst(4)
    let spread = try #require(known.max()) - (try #require(known.min()))
    #expect(Double(spread) < Self.frame, "\(distances)")
  }

  @Test(arguments: [-10.0, -3, 3, 10])
  func `with drifting clocks, 1 ms stays 1 ms`(partsPerMillion drift: Double) throws {
    var clock = QueueClock()
    var last: Int64?
    // For a minute, a note every 100 ms and another 1 ms later.
    for step in 0..<600 {
      let now = Self.begin + Int64(step) * 100_000_000
      let queue = Double(now - Self.begin) * (1 + drift / 1e6) + 1e9
      clock.sample(queueTime: UInt64(queue), now: now)
      let first = clock.time(of: UInt64(queue - 3e6), now: now)
      let second = clock.time(of: UInt64(queue - 2e6), now: now)
      #expect(abs(Double(second - first) - 1e6) <= 1)
      // Notes 100 ms apart stay so within a quarter of a frame.
      if let last { #expect(abs(Double(first - last) - 100e6) < Self.frame / 4, "step \(step)") }
      last = first
    }
    // No note is early by more than the age of the samples causes, one or two frames.
    let now = Self.begin + 60_000_000_000
    let queue = UInt64(60e9 * (1 + drift / 1e6) + 1e9)
    clock.sample(queueTime: queue, now: now)
    #expect(abs(clock.time(of: queue, now: now) - now) < 50_000)
  }

  @Test mutating func `after a suspend, which stops both clocks, the times are as before`() {
    clock.sample(queueTime: 1_000_000_000, now: Self.begin + 1_000_000_000)
    let time = clock.time(of: 1_000_500_000, now: Self.begin + 1_000_900_000)
    #expect(abs(time - Self.begin - 1_000_500_000) < 100)
  }

  @Test mutating func `if only the queue stopped, it is followed immediately`() {
    clock.sample(queueTime: 1_000_000_000, now: Self.begin + 1_000_000_000)
    clock.sample(queueTime: 1_100_000_000, now: Self.begin + 9_000_000_000)
    #expect(
      clock.time(of: 1_100_000_000, now: Self.begin + 9_000_000_000) == Self.begin + 9_000_000_000)
  }

  @Test mutating func `if the queue lost a period, it is followed within three seconds of playing`()
  {
    clock.sample(queueTime: 1_000_000_000, now: Self.begin + 1_000_000_000)
    var early: [Int64] = []
    for step in 1...33 {
      let now = Self.begin + 1_000_000_000 + Int64(step) * 100_000_000
      let queue = UInt64(now - Self.begin) - 4_000_000
      clock.sample(queueTime: queue, now: now)
      early.append(now - clock.time(of: queue, now: now))
    }
    #expect(early[0] > 3_990_000)
    #expect(early[32] == 0)
  }

  @Test
  mutating func
    `if the queue jumps ahead, it is followed immediately, and no time is in the future`()
  {
    clock.sample(queueTime: 1_000_000_000, now: Self.begin + 1_000_000_000)
    let now = Self.begin + 1_020_000_000
    #expect(clock.time(of: 1_210_000_000, now: now) == now)
    clock.sample(queueTime: 1_210_000_000, now: now)
    #expect(abs(clock.time(of: 1_211_000_000, now: now + 1_500_000) - now - 1_000_000) < 100)
  }

  @Test mutating func `times never decrease`() {
    clock.sample(queueTime: 1_000_000_000, now: Self.begin + 1_000_000_000)
    let now = Self.begin + 1_010_000_000
    let first = clock.time(of: 1_009_000_000, now: now)
    #expect(clock.time(of: 1_008_500_000, now: now) == first)
    #expect(clock.time(of: 0, now: now) == first)
  }

  @Test mutating func `the smallest times are valid`() {
    clock.sample(queueTime: 0, now: 0)
    #expect(clock.time(of: 0, now: 0) == 0)
    #expect(clock.time(of: UInt64(UInt32.max) * 1_000_000_000, now: 10) == 10)
  }
}
