// A node with one silent instrument, which sends the pressed keys to its host one after the other, four per beat of
// the host's song.
//
//   swift run ArpeggioNode &
//   portative list

import NodeProtocol
import NodeServer

let server = try NodeServer(name: "arpeggio") { print($0) }
try server.publish(
  PortDescription(
    component: ComponentDescription(
      type: .instrument, subtype: FourCharacterCode("arpg"),
      manufacturer: FourCharacterCode("Exmp")),
    name: "Example: Arpeggio", version: SemanticVersion("1.0.0")),
  ArpeggioSource())
print("publishing Example: Arpeggio; press Return to stop")
_ = readLine()
server.stop()
