import ConnectionTestSupport
import Glibc
import NodeProtocol
import NodeServer
import RenderCore

/// A node with `ports` ports of pulses. Number 0 has faults:
/// - `hangs K`: never returns from cycle K
/// - `crashes K`: ends the process in cycle K
/// - `slow N`: takes N microseconds too long
/// - `echoes 1`: plays nothing, and sends what it is given
/// - `eviction N`: milliseconds after which a host that does not render is parked
enum TestNode {
  static func run(_ path: String, _ options: Options) throws {
    var faults = PulseUnit.Faults()
    faults.hangs = options["hangs"]
    faults.crashes = options["crashes"]
    faults.delay = Int64(options["slow"]) * 1000
    // Socket and folder are open to all, so that it is the node that refuses strangers.
    umask(0)
    let eviction = options["eviction"]
    let server = try NodeServer(
      socketPath: path, peer: Peer(name: "test node", processID: getpid()),
      evictionLimit: eviction == 0 ? 2 : Double(eviction) / 1000)
    for number in 0..<max(1, options["ports"]) {
      let source: any RenderUnitSource =
        options["echoes"] != 0 && number == 0
        ? EchoSource() : ForgetfulSource(number == 0 ? faults : .init())
      try server.publish(pulsePort(number), source)
    }
    TestProgram.say("ready")
    TestProgram.awaitEnd()
    server.stop()
  }
}
