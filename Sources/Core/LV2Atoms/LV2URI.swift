/// URIs of the LV2 specifications.
package enum LV2URI {
  package static let core = "http://lv2plug.in/ns/lv2core#"
  package static let control = core + "control"
  package static let enabled = core + "enabled"
  package static let freeWheeling = core + "freeWheeling"
  package static let latency = core + "latency"

  package static let map = "http://lv2plug.in/ns/ext/urid#map"
  package static let unmap = "http://lv2plug.in/ns/ext/urid#unmap"
  package static let log = "http://lv2plug.in/ns/ext/log#log"
  package static let logError = "http://lv2plug.in/ns/ext/log#Error"
  package static let logNote = "http://lv2plug.in/ns/ext/log#Note"
  package static let logTrace = "http://lv2plug.in/ns/ext/log#Trace"
  package static let options = "http://lv2plug.in/ns/ext/options#options"
  package static let bufferSize = "http://lv2plug.in/ns/ext/buf-size#"
  package static let maximumFrames = bufferSize + "maxBlockLength"
  package static let sampleRate = "http://lv2plug.in/ns/ext/parameters#sampleRate"
  package static let schedule = "http://lv2plug.in/ns/ext/worker#schedule"
  package static let workerInterface = "http://lv2plug.in/ns/ext/worker#interface"

  package static let mapPath = "http://lv2plug.in/ns/ext/state#mapPath"
  package static let freePath = "http://lv2plug.in/ns/ext/state#freePath"
  package static let stateInterface = "http://lv2plug.in/ns/ext/state#interface"
  package static let loadDefaultState = "http://lv2plug.in/ns/ext/state#loadDefaultState"
  package static let threadSafeRestore = "http://lv2plug.in/ns/ext/state#threadSafeRestore"
  package static let preset = "http://lv2plug.in/ns/ext/presets#Preset"

  package static let atom = "http://lv2plug.in/ns/ext/atom#"
  package static let eventTransfer = atom + "eventTransfer"
  package static let midiEvent = "http://lv2plug.in/ns/ext/midi#MidiEvent"
  package static let time = "http://lv2plug.in/ns/ext/time#"
  package static let writable = "http://lv2plug.in/ns/ext/patch#writable"
  package static let units = "http://lv2plug.in/ns/extensions/units#"
  package static let group = "http://lv2plug.in/ns/ext/port-groups#group"
  package static let minimumSize = "http://lv2plug.in/ns/ext/resize-port#minimumSize"
  package static let logarithmic = "http://lv2plug.in/ns/ext/port-props#logarithmic"

  package static let showInterface = "http://lv2plug.in/ns/extensions/ui#showInterface"
  package static let idleInterface = "http://lv2plug.in/ns/extensions/ui#idleInterface"

  package static let label = "http://www.w3.org/2000/01/rdf-schema#label"
  package static let range = "http://www.w3.org/2000/01/rdf-schema#range"
}
