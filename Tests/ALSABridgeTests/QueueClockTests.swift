import Testing

@testable import ALSABridge

/// The queue began 5 s after the machine. Frames are those of 48 kHz.
@Suite struct QueueClockTests {
  var clock = QueueClock()
  static let begin: Int64 = 5_000_000_000
  static let frame = 1e9 / 48_000

  // Queue and monotonic time, read one after the other ten times a second; nanoseconds.
  // Its timer's interrupts are between 2 µs and 2.1 ms late.
  static let jittered: [(queue: UInt64, monotonic: Int64)] = [
    (100_012_345, 5_100_016_045), (200_113_022, 5_200_123_822), (300_209_518, 5_302_310_318),
    (400_318_201, 5_400_321_101), (500_420_833, 5_500_489_233), (600_519_420, 5_600_522_020),
    (700_621_377, 5_701_133_977), (800_724_112, 5_800_726_812), (900_827_690, 5_900_832_990),
    (1_000_931_204, 6_000_934_004), (1_101_034_661, 6_101_102_361), (1_201_139_008, 6_201_141_708),
  ]

  @Test mutating func `without a sample, or a stamp, what comes comes now`() {
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

  @Test mutating func `late interrupts between do not move what is played`() {
    var distances: [Int64] = []
    for sample in Self.jittered {
      clock.sample(queueTime: sample.queue, now: sample.monotonic)
      let stamp = sample.queue - 50_000
      distances.append(clock.time(of: stamp, now: sample.monotonic) - Int64(stamp))
    }
    #expect(distances.allSatisfy { abs($0 - Self.begin) < 10_000 }, "\(distances)")
  }

  @Test(arguments: [-10.0, -3, 3, 10])
  func `where clocks drift, 1 ms stays 1 ms`(partsPerMillion drift: Double) throws {
    var clock = QueueClock()
    var last: Int64?
    // A minute, a note each 100 ms and one 1 ms later.
    for step in 0..<600 {
      let now = Self.begin + Int64(step) * 100_000_000
      let queue = Double(now - Self.begin) * (1 + drift / 1e6) + 1e9
      clock.sample(queueTime: UInt64(queue), now: now)
      let first = clock.time(of: UInt64(queue - 3e6), now: now)
      let second = clock.time(of: UInt64(queue - 2e6), now: now)
      #expect(abs(Double(second - first) - 1e6) <= 1)
      // And what is 100 ms apart stays so within a quarter of a frame.
      if let last { #expect(abs(Double(first - last) - 100e6) < Self.frame / 4, "step \(step)") }
      last = first
    }
    // And nothing is early by more than the samples' age makes it, a frame or two.
    let now = Self.begin + 60_000_000_000
    let queue = UInt64(60e9 * (1 + drift / 1e6) + 1e9)
    clock.sample(queueTime: queue, now: now)
    #expect(abs(clock.time(of: queue, now: now) - now) < 50_000)
  }

  @Test mutating func `after a sleep of the machine, in which both clocks stand, all is as before`()
  {
    clock.sample(queueTime: 1_000_000_000, now: Self.begin + 1_000_000_000)
    let time = clock.time(of: 1_000_500_000, now: Self.begin + 1_000_900_000)
    #expect(abs(time - Self.begin - 1_000_500_000) < 100)
  }

  @Test mutating func `where the queue alone stood still, it is followed at once`() {
    clock.sample(queueTime: 1_000_000_000, now: Self.begin + 1_000_000_000)
    clock.sample(queueTime: 1_100_000_000, now: Self.begin + 9_000_000_000)
    #expect(
      clock.time(of: 1_100_000_000, now: Self.begin + 9_000_000_000) == Self.begin + 9_000_000_000)
  }

  @Test mutating func `where it lost a period, it is followed within three seconds of playing`() {
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
  mutating func `where it jumps ahead, it is followed at once, and nothing comes from the future`()
  {
    clock.sample(queueTime: 1_000_000_000, now: Self.begin + 1_000_000_000)
    // Twenty milliseconds without interrupts, which some kernels count as 210.
    let now = Self.begin + 1_020_000_000
    #expect(clock.time(of: 1_210_000_000, now: now) == now)
    clock.sample(queueTime: 1_210_000_000, now: now)
    #expect(abs(clock.time(of: 1_211_000_000, now: now + 1_500_000) - now - 1_000_000) < 100)
  }

  @Test mutating func `what comes later is never earlier`() {
    clock.sample(queueTime: 1_000_000_000, now: Self.begin + 1_000_000_000)
    let now = Self.begin + 1_010_000_000
    let first = clock.time(of: 1_009_000_000, now: now)
    #expect(clock.time(of: 1_008_500_000, now: now) == first)
    #expect(clock.time(of: 0, now: now) == first)
  }

  @Test mutating func `the least of the clocks' times is no trouble`() {
    clock.sample(queueTime: 0, now: 0)
    #expect(clock.time(of: 0, now: 0) == 0)
    #expect(clock.time(of: UInt64(UInt32.max) * 1_000_000_000, now: 10) == 10)
  }
}
