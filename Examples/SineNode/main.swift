// A node with one instrument: a sine wave for every key that is down.
//
//   swift run SineNode &
//   portative play --node Sine -o sine.wav song.mid

import NodeDirectory
import NodeServer

let server = try NodeServer(name: "sine") { print($0) }
try server.publish(
  PortDescription(
    component: ComponentDescription(
      type: .instrument, subtype: FourCharacterCode("sine"),
      manufacturer: FourCharacterCode("Exmp")),
    name: "Example: Sine", version: SemanticVersion("1.0.0")),
  SineSource())
print("publishing Example: Sine; Return ends it")
_ = readLine()
server.stop()
