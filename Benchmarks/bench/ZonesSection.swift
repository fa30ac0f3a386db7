import LiveMIDI
import LocalSystem
import RenderCore

/// Measures the time that zones add to an event of a keyboard, on the keyboards' thread.
func zonesSection(_ bench: Bench) throws -> [Table] {
  var table = Table(
    title: "Zones: time for one event of a keyboard",
    note: """
      `LiveInput.send` of note-ons, note-offs and controllers, read by the render thread's merger every \
      256 events, which is not counted. Medians of rounds in turn.
      """,
    columns: ["zones", "ns per event", "more than without, ns"])
  let cases: [(name: String, zones: [Zone]?)] = [
    ("none", nil), ("one, with a sound", zones(1)), ("a split in four", zones(4)),
    ("four layers", zones(4, layers: true)), ("sixteen, of which one plays", zones(16)),
  ]
  let inputs = cases.map { ZonedInput($0.zones) }
  var times = [[Double]](repeating: [], count: cases.count)
  for _ in 0..<(bench.isQuick ? 15 : 51) {
    for (index, input) in inputs.enumerated() { times[index].append(input.nanosecondsPerEvent()) }
  }
  let medians = times.map { $0.sorted()[$0.count / 2] }
  var targets = Table(title: "Zones against their target", columns: Target.columns)
  for (number, entry) in cases.enumerated() {
    let added = medians[number] - medians[0]
    table.rows.append([
      .text(entry.name), .number(medians[number], digits: 0), .number(added, digits: 0),
    ])
    if number > 0 {
      targets.rows.append(Target.atMost(1000, "ns for an event more, \(entry.name)").row([added]))
    }
  }
  return [table, targets]
}

/// Returns zones with sounds of their own.
private func zones(_ count: Int, layers: Bool = false) -> [Zone] {
  (0..<count).map { number in
    var zone = Zone()
    zone.sound = UInt8(1 + number)
    let width = 128 / count
    if !layers { zone.keys = UInt8(number * width)...UInt8((number + 1) * width - 1) }
    return zone
  }
}

/// A live input that a simulated keyboard plays.
private final class ZonedInput {
  private let input = LiveInput()
  private let consumer: LiveInputConsumer
  private var position: Int64 = 0
  /// Of no channel, because nothing is rendered.
  private let output = UnsafeMutablePointer<UnsafeMutablePointer<Float>>.allocate(capacity: 1)

  init(_ zones: [Zone]?) {
    consumer = LiveInputConsumer(to: input, as: .device, sampleRate: 48_000)
    consumer.begin()
    input.setZones(zones)
  }

  deinit {
    consumer.end()
    output.deallocate()
  }

  func nanosecondsPerEvent() -> Double {
    let rounds = 40
    var time: Int64 = 0
    for _ in 0..<rounds {
      let begin = MonotonicClock.now
      for number in 0..<64 {
        let key = UInt8(number * 2)
        send(.noteOn, key, 100)
        send(.controlChange, 1, UInt8(number))
        send(.controlChange, 11, UInt8(number))
        send(.noteOff, key, 64)
      }
      time += MonotonicClock.now - begin
      drain()
    }
    return Double(time) / Double(rounds * 256)
  }

  private func send(_ kind: ChannelMessage.Kind, _ first: UInt8, _ second: UInt8) {
    let message = ChannelMessage(kind, channel: 0, first, second)
    input.send(.channel(message), from: LiveInput.Source(1), at: 1)
  }

  private func drain() {
    for _ in 0..<2 {
      let cycle = RenderCycle(
        midi: MIDICycle(frames: 1024), position: position, hostTime: MonotonicClock.now,
        output: UnsafePointer(output))
      _ = consumer.events.pointee.merge(into: cycle, now: MonotonicClock.now)
      position += 1024
    }
  }
}
