// A node with one instrument, which plays a sine wave for every pressed key.
//
//   swift run SineNode &
//   portative play --node Sine -o sine.wav song.mid

import NodeProtocol
import NodeServer

let server = try NodeServer(name: "sine") { print($0) }
try server.publish(
  PortDescription(
    component: ComponentDescription(
      type: .instrument, subtype: FourCharacterCode("sine"),
      manufacturer: FourCharacterCode("Exmp")),
    name: "Example: Sine", version: SemanticVersion("1.0.0")),
  SineSource())
print("publishing Example: Sine; press Return to stop")
_ = readLine()
server.stop()
