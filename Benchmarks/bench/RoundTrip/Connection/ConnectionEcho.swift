import CLinux
import Glibc
import LocalSystem
import NodeHost
import NodeProtocol
import RenderCore

/// The host's side of a connection's round trip: `bench connection-echo` with the arguments of ``RoundTripSetting``.
///
/// Starts the node's side, measures, and prints the output that ``RoundTrips`` parses.
enum ConnectionEcho {
  static func run(_ arguments: [String]) throws {
    let options = try EchoOptions(arguments)
    let cores = Affinity.cores
    // From the last processor down, as `pingpong futex` does.
    let own = options.placement == .free ? cores : Array(cores.suffix(1))
    let node = options.placement == .two ? Array(cores.dropLast().suffix(1)) : own
    let process = try Affinity.with(node) { try EchoNodeProcess(options) }
    defer { process.end() }
    try Affinity.with(own) {
      let connection = try process.connect()
      try schedule(options.priority)
      if options.placement == .free, options.priority > 0 { AudioHost.keepThreadOnProcessor() }
      try connection.initialize(
        Format(sampleRate: 48_000, maximumFrames: options.frames), priority: options.priority)
      try measure(connection, options)
      connection.close()
    }
  }

  private static func schedule(_ priority: Int) throws {
    if priority == 0 { return }
    var parameters = sched_param(sched_priority: Int32(priority))
    guard sched_setscheduler(0, SCHED_FIFO, &parameters) == 0 else {
      throw BenchError("SCHED_FIFO at priority \(priority) is not permitted")
    }
  }

  private static func measure(_ connection: Connection, _ options: EchoOptions) throws {
    let warmUp = options.cycles / 10
    let late: Int64 = -1
    var durations = [Int64](repeating: 0, count: options.cycles)
    let output = UnsafeMutablePointer<UnsafeMutablePointer<Float>>.allocate(capacity: 2)
    for i in 0..<2 {
      output[i] = .allocate(capacity: options.frames)
      output[i].initialize(repeating: 1, count: options.frames)
    }
    var next = MonotonicClock.now
    for cycle in 0..<warmUp + options.cycles {
      if options.rate > 0 {
        next += Int64(options.frames) * 1_000_000_000 / Int64(options.rate)
        MonotonicClock.sleep(until: next)
      }
      let begin = MonotonicClock.now
      let status = renderOnce(connection, options, output)
      let end = MonotonicClock.now
      guard status == .rendered || status == .late else {
        throw BenchError("a cycle was \(status)")
      }
      // Without a sample rate, fifty late cycles would follow at once and the node would be parked.
      if status == .late { usleep(2000) }
      if cycle >= warmUp { durations[cycle - warmUp] = status == .late ? late : end - begin }
    }
    print(durations.map { $0 == late ? "late" : "\($0)" }.joined(separator: "\n"))
  }

  /// Renders one cycle.
  ///
  /// On two processors, `begin` and `finish` keep the node on its own; otherwise `render` may move it to ours.
  private static func renderOnce(
    _ connection: Connection, _ options: EchoOptions,
    _ output: UnsafeMutablePointer<UnsafeMutablePointer<Float>>
  ) -> RenderStatus {
    if options.placement != .two {
      return connection.render(frames: options.frames, into: UnsafePointer(output))
    }
    connection.begin(frames: options.frames)
    let status = connection.finish()
    for channel in 0..<2 {
      if let samples = connection.output(channel: channel) {
        output[channel].update(from: samples, count: options.frames)
      }
    }
    return status
  }
}
