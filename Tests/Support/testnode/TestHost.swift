import ConnectionTestSupport
import Glibc
import NodeHost
import NodeProtocol
import RenderCore
import Threads

/// A host of port number `port`, which renders for ever:
/// - `user N`: as another user
/// - `stops N`: renders no more after N cycles
/// - `crashes N`: in cycle N, ends as a crash does
/// - `reconnects N`: N times connects, renders and closes, then waits
/// - `pauses 1`: waits when it has connected; 2: waits when it has initialized
enum TestHost {
  static func run(_ path: String, _ options: Options) throws {
    if options["user"] != 0 { try become(uid_t(options["user"])) }
    let host = AudioHost(name: "test host")
    if options["reconnects"] != 0 { return try reconnect(host, path, options) }
    TestProgram.say("begins")
    let connection = try connect(host, path, options)
    TestProgram.say("connected")
    if options["pauses"] == 1 { return TestProgram.awaitEnd() }
    try connection.initialize(Format(maximumFrames: 256))
    TestProgram.say("initialized")
    if options["pauses"] == 2 { return TestProgram.awaitEnd() }
    renderForEver(connection, options)
  }

  private static func connect(
    _ host: AudioHost, _ path: String, _ options: Options
  ) throws -> Connection {
    try host.connect(to: pulses(options["port"]), ofNode: "test", socketPath: path)
  }

  private static func become(_ user: uid_t) throws {
    guard setgid(user) == 0, setuid(user) == 0 else { throw SystemError(call: "setuid") }
  }

  private static func renderForEver(_ connection: Connection, _ options: Options) {
    let output = StereoOutput(frames: 256)
    for cycle in 1... {
      _ = connection.schedule(ChannelMessage(.noteOn, channel: 0, 60, 100), at: cycle % 256)
      if cycle == options["stops"] {
        TestProgram.say("stops")
        return TestProgram.awaitEnd()
      }
      if cycle == options["crashes"] {
        connection.begin(frames: 256)
        kill(getpid(), SIGKILL)
      }
      if connection.render(frames: 256, into: output.pointers) == .connectionLost { return }
      if cycle == 10 { TestProgram.say("renders") }
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

  /// Lets the test look, until it says to go on.
  private static func pause(_ line: String) {
    TestProgram.say(line)
    _ = getchar()
  }
}
