// A node with one instrument that makes no sound of its own: it sends its host the keys that are held, one after
// the other, four to a beat of the host's song.
//
//   swift run ArpeggioNode &
//   portative list

import NodeDirectory
import NodeServer

let server = try NodeServer(name: "arpeggio") { print($0) }
try server.publish(
  PortDescription(
    component: ComponentDescription(
      type: .instrument, subtype: FourCharacterCode("arpg"),
      manufacturer: FourCharacterCode("Exmp")),
    name: "Example: Arpeggio", version: SemanticVersion("1.0.0")),
  ArpeggioSource())
print("publishing Example: Arpeggio; Return ends it")
_ = readLine()
server.stop()
