import Glibc
import LiveMIDI
import LocalSystem
import RenderCore
import Synchronization

/// Measures the latency and jitter from a keyboard's events to the frames of a sound device.
func keyboardSection(_ bench: Bench) throws -> [Table] {
  var table = Table(
    title: "Keyboard: events by a known clock, and the frames on which they land",
    note: """
      A thread plays an event about every 7.3 ms with a timestamp, as the kernel does; another thread \
      wakes for each period of a sound device at 48 kHz and places the received events. Jitter is the \
      greatest deviation from the median of frame minus time; by arrival, an event is at the beginning \
      of the period in which it is received.
      """,
    columns: [
      "period, frames", "events", "latency, ms", "jitter, frames", "99 of 100 within",
      "by arrival, frames", "latest wake-up, µs",
    ])
  var targets = Table(title: "Keyboard against its targets", columns: Target.columns)
  for period in [64, 128, 256, 512, 1024] {
    bench.log("keyboard: periods of \(period) frames")
    let run = try KeyboardRun(period: period, seconds: bench.isQuick ? 8 : 20)
    table.rows.append([
      .count(period), .count(run.placed.count), .number(run.latency * 1e3, digits: 2),
      .number(run.placed.greatest, digits: 2), .number(run.placed.nearlyAll, digits: 2),
      .number(run.arrived.greatest, digits: 0), .number(run.lateness * 1e6, digits: 0),
    ])
    targets.rows.append(
      Target.atMost(1, "jitter in frames, period \(period)").row([run.placed.greatest]))
  }
  return [table, targets]
}

/// The absolute deviations of values from their median.
private struct Spread {
  private let distances: [Double]

  init(_ values: [Double]) {
    let sorted = values.sorted()
    let median = sorted.isEmpty ? 0 : sorted[sorted.count / 2]
    distances = sorted.map { abs($0 - median) }.sorted()
  }

  var count: Int { distances.count }
  var greatest: Double { distances.last ?? .nan }
  var nearlyAll: Double { distances.isEmpty ? .nan : distances[distances.count * 99 / 100] }
}

/// One run: a simulated sound device, and a thread that plays.
private struct KeyboardRun {
  let placed: Spread
  let arrived: Spread
  /// The latency of the input clock in seconds.
  let latency: Double
  /// The latest wake-up of the device's thread in seconds.
  let lateness: Double

  private static let rate = 48_000
  private static let step: Int64 = 7_300_000
  /// The time in nanoseconds after which the input clock has settled; earlier events are not counted.
  private static let settling: Int64 = 3_000_000_000

  init(period: Int, seconds: Int) throws {
    let input = LiveInput()
    let listener = LiveInputConsumer(to: input, as: .device, sampleRate: Self.rate)
    listener.begin()
    let start = MonotonicClock.now + 100_000_000
    let end = start + Int64(seconds) * 1_000_000_000
    let device = Device(listener, period: period, rate: Self.rate, from: start, until: end)
    let times = Mutex<[Int64]>([])
    let player = try SystemThread(name: "bench-player") {
      _ = try? RealtimePriority.request(60)
      for number in 0..<Int((end - start) / Self.step) {
        MonotonicClock.sleep(until: start + Int64(number) * Self.step)
        let now = MonotonicClock.now
        times.withLock { $0.append(now) }
        // The bend carries the lowest 14 bits of the event's number.
        let message = ChannelMessage(
          .pitchBend, channel: 0, UInt8(number & 127), UInt8(number >> 7 & 127))
        input.send(.channel(message), from: LiveInput.Source(1), at: now)
      }
    }
    let thread = try SystemThread(name: "bench-device") { device.run() }
    player.join()
    thread.join()
    let played = times.withLock { $0 }
    func distance(_ frame: Int64, _ number: Int) -> Double {
      Double(frame) - Double(played[number] - start) * Double(Self.rate) / 1e9
    }
    let events = device.events.filter { played[$0.number] - start > Self.settling }
    placed = Spread(events.map { distance($0.frame, $0.number) })
    arrived = Spread(events.map { distance($0.cycle, $0.number) })
    latency = device.latency
    lateness = device.lateness
    listener.end()
  }
}

/// A simulated sound device whose thread wakes when a sound card would have played a period.
private final class Device: @unchecked Sendable {
  private let listener: LiveInputConsumer
  private let period: Int
  private let rate: Int
  private let start: Int64
  private let end: Int64
  private(set) var events: [(number: Int, frame: Int64, cycle: Int64)] = []
  private(set) var latency = 0.0
  private(set) var lateness = 0.0

  init(_ listener: LiveInputConsumer, period: Int, rate: Int, from start: Int64, until end: Int64) {
    self.listener = listener
    self.period = period
    self.rate = rate
    self.start = start
    self.end = end
    events.reserveCapacity(100_000)
  }

  func run() {
    _ = try? RealtimePriority.request(70)
    let output = UnsafeMutablePointer<UnsafeMutablePointer<Float>>.allocate(capacity: 1)
    defer { output.deallocate() }
    let none = UnsafeBufferPointer<MIDIEvent>(start: nil, count: 0)
    var position: Int64 = 0
    while true {
      let due = start + position * 1_000_000_000 / Int64(rate)
      if due > end { break }
      MonotonicClock.sleep(until: due)
      let now = MonotonicClock.now
      lateness = max(lateness, Double(now - due) / 1e9)
      let cycle = RenderCycle(
        midi: MIDICycle(
          frames: period, events: none, sysEx: UnsafeBufferPointer(start: nil, count: 0)),
        position: position, hostTime: now, output: UnsafePointer(output))
      let merged = listener.events.pointee.merge(into: cycle, now: now)
      for event in merged.events {
        guard case .channel(let message) = event.content else { continue }
        // The number wraps at 14 bits; the previous event gives the higher bits.
        let base = (events.last?.number ?? 0) & ~0x3FFF
        var number = base | Int(message.bend)
        if let last = events.last?.number, number < last { number += 0x4000 }
        events.append((number, position + Int64(event.offset), position))
      }
      position += Int64(period)
    }
    latency = listener.events.pointee.clock.latency / 1e9
  }
}
