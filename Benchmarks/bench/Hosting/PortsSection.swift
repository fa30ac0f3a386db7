import Glibc
import NodeHost
import NodeProtocol
import RenderCore

/// Measures many ports of one server, all rendered in each cycle by one host.
func portsSection(_ bench: Bench) throws -> [Table] {
  let counts = bench.isQuick ? [1, 4, 16] : [1, 8, 16, 32, 64]
  var table = Table(
    title: "Ports of one server, each playing a chord, all rendered in each cycle by one host",
    note: "Cycles of 256 frames at 48 kHz, one after another. A cycle is due every 5333 µs.",
    columns: [
      "timing", "SoundFont", "ports", "µs per cycle", "µs per port", "server's memory, MB",
      "MB per further port",
    ])
  var targets = Table(title: "Ports against their targets", columns: Target.columns)
  for timing in ["exact", "stock"] {
    for font in bench.fonts(named: bench.isQuick ? ["TimGM6mb"] : ["FluidR3", "TimGM6mb"]) {
      var results: [PortsResult] = []
      for count in counts {
        bench.log("ports: \(count), \(timing), \(font.name)")
        results.append(try PortsResult(count, font, timing, bench))
      }
      // One port, the first count above one, and the greatest count: they must be three different results.
      guard results.count > 2, let one = results.first, let most = results.last else {
        throw BenchError("the ports section needs at least three counts, not \(results.count)")
      }
      let few = results[1]
      for result in results {
        let further = result.ports > 1 ? result.megabytes(beyond: one) : .nan
        table.rows.append([
          .text(timing), .text(font.name), .count(result.ports),
          .number(result.microseconds, digits: 0),
          .number(result.microseconds / Double(result.ports), digits: 1),
          .number(Double(result.bytes) / 1e6, digits: 1), .number(further, digits: 2),
        ])
      }
      let bound = timing == "exact" ? 16.0 : 6.0
      targets.rows.append(
        Target.atMost(bound, "MB per further port, \(timing), \(font.name)").row([
          most.megabytes(beyond: one)
        ]))
      // The cost must be linear: with many ports, a port costs no more than with few.
      targets.rows.append(
        Target.atMost(1.25, "time per port, \(most.ports) ÷ \(few.ports), \(timing), \(font.name)")
          .row([
            most.microseconds / Double(most.ports) / (few.microseconds / Double(few.ports))
          ]))
    }
  }
  return [table, targets]
}

/// The time and memory that `ports` ports took.
private struct PortsResult {
  let ports: Int
  /// The median time of a cycle.
  let microseconds: Double
  let bytes: Int

  private static let frames = 256
  private static let cycles = 400

  init(_ count: Int, _ font: Bench.SoundFont, _ timing: String, _ bench: Bench) throws {
    ports = count
    let server = try ServerProcess(bench, ports: count, font: font, timing: timing)
    defer { server.end() }
    let host = AudioHost(name: "bench")
    let connections = try server.components.map { try host.connect(to: $0) }
    defer { for connection in connections { connection.close() } }
    for connection in connections {
      try connection.initialize(
        Format(sampleRate: 48_000, maximumFrames: Self.frames), mode: .offline)
      for key in [60, 64, 67, 72] as [UInt8] {
        _ = connection.schedule(ChannelMessage(.noteOn, channel: 0, key, 90), at: 0)
      }
    }
    var times: [Double] = []
    for _ in 0..<Self.cycles {
      let begin = ContinuousClock.now
      for connection in connections { connection.begin(frames: Self.frames) }
      for connection in connections {
        guard connection.finish() == .rendered else { throw BenchError("a cycle was lost") }
      }
      times.append((ContinuousClock.now - begin) / .microseconds(1))
    }
    microseconds = Runs(times).median
    bytes = server.process.memory
  }

  func megabytes(beyond one: Self) -> Double {
    Double(bytes - one.bytes) / 1e6 / Double(ports - one.ports)
  }
}
