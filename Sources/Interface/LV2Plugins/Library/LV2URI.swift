/// URIs of the LV2 specifications that the plugins use.
enum LV2URI {
  static let map = "http://lv2plug.in/ns/ext/urid#map"
  static let log = "http://lv2plug.in/ns/ext/log#log"
  static let logError = "http://lv2plug.in/ns/ext/log#Error"
  static let logNote = "http://lv2plug.in/ns/ext/log#Note"
  static let options = "http://lv2plug.in/ns/ext/options#options"
  static let maximumFrames = "http://lv2plug.in/ns/ext/buf-size#maxBlockLength"
  static let mapPath = "http://lv2plug.in/ns/ext/state#mapPath"
  static let freePath = "http://lv2plug.in/ns/ext/state#freePath"
  static let eventTransfer = "http://lv2plug.in/ns/ext/atom#eventTransfer"
  static let showInterface = "http://lv2plug.in/ns/extensions/ui#showInterface"
  static let idleInterface = "http://lv2plug.in/ns/extensions/ui#idleInterface"
  static let stateInterface = "http://lv2plug.in/ns/ext/state#interface"
}
