import ConnectionTestSupport
import Glibc
import LocalSystem
import NodeHost
import NodeProtocol
import RenderCore

/// A host of port number `port` that renders until the connection is lost. Options:
/// - `user N`: runs as the user with this ID
/// - `stops N`: stops rendering in cycle N
/// - `crashes N`: kills itself in cycle N
/// - `reconnects N`: connects, renders and closes N times, then waits
/// - `pauses 1`: waits after it has connected; 2: waits after it has initialized
/// - `visits N`: connects and uses the port N times, whatever the node answers, then waits
/// - `insists N`: renders N cycles, whatever the node writes, then waits
/// - `outlives N`: connects and renders until the node has ended N times, then waits
enum TestHost {
  static func run(_ path: String, _ options: Options) throws {
    if options["user"] != 0 { try setUser(uid_t(options["user"])) }
    let host = AudioHost(name: "test host")
    if options["reconnects"] != 0 { return try reconnect(host, path, options) }
    if options["visits"] != 0 { return visit(host, path, options) }
    if options["insists"] != 0 { return try insist(host, path, options) }
    if options["outlives"] != 0 { return outlive(host, path, options) }
    TestProgram.report("begins")
    let connection = try connect(host, path, options)
    TestProgram.report("connected")
    if options["pauses"] == 1 { return TestProgram.awaitEnd() }
    try connection.initialize(Format(maximumFrames: 256))
    TestProgram.report("initialized")
    if options["pauses"] == 2 { return TestProgram.awaitEnd() }
    renderUntilLost(connection, options)
  }

  private static func connect(
    _ host: AudioHost, _ path: String, _ options: Options
  ) throws -> Connection {
    try host.connect(to: pulses(options["port"]), ofNode: "test", socketPath: path)
  }

  private static func setUser(_ user: uid_t) throws {
    guard setgid(user) == 0, setuid(user) == 0 else { throw SystemError(call: "setuid") }
  }

  private static func renderUntilLost(_ connection: Connection, _ options: Options) {
    let output = StereoOutput(frames: 256)
    for cycle in 1... {
      _ = connection.schedule(ChannelMessage(.noteOn, channel: 0, 60, 100), at: cycle % 256)
      if cycle == options["stops"] {
        TestProgram.report("stops")
        return TestProgram.awaitEnd()
      }
      if cycle == options["crashes"] {
        connection.begin(frames: 256)
        kill(getpid(), SIGKILL)
      }
      if connection.render(frames: 256, into: output.pointers) == .connectionLost { return }
      if cycle == 10 { TestProgram.report("renders") }
      usleep(500)
    }
  }

  private static func reconnect(_ host: AudioHost, _ path: String, _ options: Options) throws {
    let count = options["reconnects"]
    for round in 0..<count {
      if round == count / 5 { pause("warm") }
      let connection = try connect(host, path, options)
      try connection.initialize(Format(maximumFrames: 64 + round % 1000), mode: .offline)
      for frames in [64, 1, 33] {
        let (status, _, right) = connection.rendered(frames)
        guard status == .rendered, right.count == frames else {
          throw SystemError(code: 0, call: "\(status)")
        }
      }
      if round % 3 == 0 { connection.uninitialize() }
      if round % 3 != 1 { connection.close() }
    }
    pause("done")
  }

  private static func visit(_ host: AudioHost, _ path: String, _ options: Options) {
    let count = options["visits"]
    for round in 0..<count {
      if round == count / 5 { pause("warm") }
      guard let connection = try? connect(host, path, options) else { continue }
      connection.acceptCommands([.start]) { _ in true }
      connection.stallLimit = .milliseconds(5)
      try? connection.initialize(Format(maximumFrames: 64), mode: .offline)
      _ = connection.rendered(64)
      _ = try? connection.presets()
      try? connection.usePreset(0)
      if let state = try? connection.saveState() { try? connection.restoreState(state) }
      connection.uninitialize()
    }
    pause("done")
  }

  private static func insist(_ host: AudioHost, _ path: String, _ options: Options) throws {
    let count = options["insists"]
    let connection = try connect(host, path, options)
    connection.lateLimit = 20
    let output = StereoOutput(frames: 64)
    var longest: Int64 = 0
    for cycle in 0..<count {
      if cycle == count / 5 { pause("warm") }
      if case .initialized = connection.status {
      } else {
        try connection.initialize(Format(maximumFrames: 64))
      }
      _ = connection.schedule(ChannelMessage(.noteOn, channel: 0, 60, 100), at: cycle % 64)
      let begin = MonotonicClock.now
      _ = connection.render(frames: 1 + cycle % 64, into: output.pointers)
      longest = max(longest, MonotonicClock.now - begin)
    }
    TestProgram.report("longest \(longest / 1_000_000)")
    pause("done")
  }

  private static func outlive(_ host: AudioHost, _ path: String, _ options: Options) {
    let count = options["outlives"]
    let output = StereoOutput(frames: 64)
    var ends = 0
    while ends < count {
      guard let connection = try? connect(host, path, options) else {
        usleep(500)
        continue
      }
      TestProgram.report("connected")
      repeat {
        try? connection.initialize(
          Format(maximumFrames: 64), mode: ends % 2 == 0 ? .offline : .realtime)
        for _ in 0..<100 where connection.render(frames: 64, into: output.pointers) == .rendered {}
        connection.uninitialize()
      } while !connection.isLost
      connection.close()
      ends += 1
      if ends == count / 5 { pause("warm") }
    }
    pause("done")
  }

  /// Prints a line and waits until the test writes to standard input.
  private static func pause(_ line: String) {
    TestProgram.report(line)
    _ = getchar()
  }
}

extension Connection {
  fileprivate var isLost: Bool { if case .lost = status { true } else { false } }
}
