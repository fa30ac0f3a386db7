// Publishes 'Client: Sine' until SIGTERM.

import Glibc
import LiveMIDI
import NodeProtocol
import NodeServer

var signals = sigset_t()
sigemptyset(&signals)
sigaddset(&signals, SIGTERM)
sigprocmask(SIG_BLOCK, &signals, nil)

let server = try NodeServer(name: "swift-sine") { print($0) }
let port = try server.publish(
  PortDescription(
    component: ComponentDescription(
      type: .instrument, subtype: FourCharacterCode("sine"),
      manufacturer: FourCharacterCode("Clnt")),
    name: "Client: Sine", version: SemanticVersion("1.0.0")),
  SineSource())
// Types of other modules in public signatures.
let input: LiveInput = port.input
let answer: RemoteAnswer = port.command(.rewind)
print("published; \(input.refused) \(answer)")
var signal: CInt = 0
sigwait(&signals, &signal)
server.stop()
