import LiveMIDI
import TestSupport
import Testing

/// A simulation of events at known times, in cycles that begin on time or with jitter.
struct ClockRun {
  var rate = 48_000
  let frames: Int
  /// The maximum delay of a cycle's wake-up in seconds.
  var lateness = 0.0
  /// The relative amount by which the sound card's clock is faster than the system's.
  var drift = 0.0
  /// The time from a cycle's due begin until it is heard, as the cycle reports it, in seconds.
  var ahead = 0.0
  /// Whether the reported time is based on the cycle's due begin instead of the thread's wake-up.
  var isTold = false

  /// Returns the maximum deviation of the events' distances in frames from those in time, in frames, after
  /// the first few seconds: by the clock, and by placing events at the beginning of their cycle.
  func jitter(seconds: Double) -> (clock: Double, arrival: Double) {
    var random = Seeded(UInt64(frames))
    var clock = InputClock(sampleRate: rate)
    let length = Double(frames) / Double(rate) / (1 + drift)
    let step = 0.001_37
    var (next, cycle) = (0.0, 0)
    var (placed, arrived): ([Double], [Double]) = ([], [])
    while true {
      let due = 1 + Double(cycle) * length
      if due > seconds { break }
      let now = due + Double.random(in: 0...max(lateness, 1e-9), using: &random)
      let heard = (isTold ? due : now) + ahead
      clock.beginCycle(
        position: Int64(cycle * frames), frames: frames, heardAt: ns(heard), now: ns(now))
      while next <= now {
        let offset = clock.offset(of: ns(next), now: ns(now))
        if offset >= frames { break }
        if next > 10 {
          let ideal = next * Double(rate) * (1 + drift)
          placed.append(Double(cycle * frames + max(0, offset)) - ideal)
          arrived.append(Double(cycle * frames) - ideal)
        }
        next += step
      }
      cycle += 1
    }
    return (spread(placed), spread(arrived))
  }

  private func ns(_ seconds: Double) -> Int64 { Int64(seconds * 1e9) }

  private func spread(_ values: [Double]) -> Double {
    (values.max() ?? .infinity) - (values.min() ?? 0)
  }
}

@Suite(.timeLimit(.minutes(5))) struct InputClockTests {

  @Test(arguments: [64, 128, 256, 512, 1024])
  func `events keep their distances to a frame when their arrival varies by a cycle`(frames: Int) {
    let (clock, arrival) = ClockRun(frames: frames).jitter(seconds: 30)
    #expect(clock <= 1.01)
    #expect(arrival >= Double(frames) * 0.9)
  }

  @Test(arguments: [64, 128, 256, 512, 1024])
  func `events keep their distances when the card's clock is wrong by 0.01 %`(frames: Int) {
    for drift in [-1e-4, 1e-4] {
      #expect(ClockRun(frames: frames, drift: drift).jitter(seconds: 60).clock <= 1.6)
    }
  }

  @Test(arguments: [64, 128, 256, 512, 1024])
  func `events keep their distances when threads wake up to 100 µs late`(frames: Int) {
    let jitter = ClockRun(frames: frames, lateness: 1e-4).jitter(seconds: 60)
    #expect(jitter.clock <= 2)
    #expect(jitter.arrival >= Double(frames) * 0.9)
  }

  @Test(arguments: [8000, 22_050, 32_000, 44_100, 88_200, 96_000])
  func `events keep their distances at every rate`(rate: Int) {
    for frames in [64, 512] {
      let run = ClockRun(rate: rate, frames: frames, lateness: 1e-5)
      #expect(run.jitter(seconds: 30).clock <= 1.01 + 2e-5 * Double(rate))
    }
  }

  @Test func `a device that reports its output time may wake its thread at any time`() {
    let run = ClockRun(frames: 256, lateness: 0.004, ahead: 0.01, isTold: true)
    #expect(run.jitter(seconds: 30).clock <= 1.01)
  }

  @Test func `an event is heard one cycle later`() {
    var clock = InputClock(sampleRate: 48_000)
    let cycle: Int64 = 5_333_333
    for number in 0..<1000 {
      let time = Int64(number) * cycle
      clock.beginCycle(position: Int64(number * 256), frames: 256, heardAt: time, now: time)
    }
    let now = 999 * cycle
    #expect(abs(clock.offset(of: now - cycle, now: now)) <= 1)
    #expect(abs(clock.offset(of: now - cycle / 2, now: now) - 128) <= 1)
    #expect(abs(clock.latency - Double(cycle)) < 20_000)
  }

  @Test func `after a missed cycle the timing is as before`() {
    var clock = InputClock(sampleRate: 48_000)
    let cycle: Int64 = 5_333_333
    for number in 0..<1000 where number != 900 {
      let time = Int64(number) * cycle
      clock.beginCycle(position: Int64(number * 256), frames: 256, heardAt: time, now: time)
      if number > 901 { #expect(abs(clock.offset(of: time - cycle / 2, now: time) - 128) <= 1) }
    }
  }

  @Test func `after a suspend of the machine notes are not delayed`() {
    var clock = InputClock(sampleRate: 48_000)
    clock.beginCycle(position: 0, frames: 256, heardAt: 1_000_000_000, now: 1_000_000_000)
    let later: Int64 = 60_000_000_000
    clock.beginCycle(position: 256, frames: 256, heardAt: later, now: later)
    let offset = clock.offset(of: later - 1_000_000, now: later)
    #expect(offset < 256)
  }

  @Test(arguments: [0, Int64.min / 4, Int64.max / 4])
  func `invalid host times do not delay notes for long`(time: Int64) {
    var clock = InputClock(sampleRate: 48_000)
    var now: Int64 = 1_000_000_000
    let played = now
    var wasHeard = false
    for number in 0..<200 {
      clock.beginCycle(position: Int64(number * 256), frames: 256, heardAt: time, now: now)
      wasHeard = wasHeard || clock.offset(of: played, now: now) < 256
      now += 5_333_333
    }
    #expect(wasHeard)
  }
}
