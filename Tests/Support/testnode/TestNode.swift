import ConnectionTestSupport
import Glibc
import NodeProtocol
import NodeServer
import RenderCore

/// A node with `ports` ports of ``PulseUnit``. Port number 0 has faults:
/// - `hangs K`: never returns from cycle K
/// - `crashes K`: ends the process in cycle K
/// - `slow N`: delays each cycle by N microseconds
/// - `echoes 1`: is silent and sends the received events
///
/// `eviction N` sets the time in milliseconds after which the node parks a host that does not render.
enum TestNode {
  static func run(_ path: String, _ options: Options) throws {
    var faults = PulseUnit.Faults()
    faults.hangs = options["hangs"]
    faults.crashes = options["crashes"]
    faults.delay = Int64(options["slow"]) * 1000
    // Socket and folder are accessible to all users, so that the node itself must reject other users.
    umask(0)
    let eviction = options["eviction"]
    let server = try NodeServer(
      socketPath: path, peer: Peer(name: "test node", processID: getpid()),
      evictionLimit: eviction == 0 ? 2 : Double(eviction) / 1000)
    for number in 0..<max(1, options["ports"]) {
      let source: any RenderUnitSource =
        options["echoes"] != 0 && number == 0
        ? EchoSource() : UntrackedPulseSource(number == 0 ? faults : .init())
      try server.publish(pulsePort(number), source)
    }
    TestProgram.report("ready")
    TestProgram.awaitEnd()
    server.stop()
  }
}
