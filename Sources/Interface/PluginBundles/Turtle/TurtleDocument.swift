/// A Turtle file with the prefixes of LV2.
struct TurtleDocument {
  private(set) var text: String

  /// Each prefix ends the names of a vocabulary.
  private static let prefixes = [
    ("atom", "http://lv2plug.in/ns/ext/atom#"),
    ("bufsz", "http://lv2plug.in/ns/ext/buf-size#"),
    ("doap", "http://usefulinc.com/ns/doap#"),
    ("foaf", "http://xmlns.com/foaf/0.1/"),
    ("kx", "http://kxstudio.sf.net/ns/lv2ext/external-ui#"),
    ("log", "http://lv2plug.in/ns/ext/log#"),
    ("lv2", "http://lv2plug.in/ns/lv2core#"),
    ("midi", "http://lv2plug.in/ns/ext/midi#"),
    ("opts", "http://lv2plug.in/ns/ext/options#"),
    ("patch", "http://lv2plug.in/ns/ext/patch#"),
    ("pg", "http://lv2plug.in/ns/ext/port-groups#"),
    ("pprops", "http://lv2plug.in/ns/ext/port-props#"),
    ("pset", "http://lv2plug.in/ns/ext/presets#"),
    ("rdf", "http://www.w3.org/1999/02/22-rdf-syntax-ns#"),
    ("rdfs", "http://www.w3.org/2000/01/rdf-schema#"),
    ("rsz", "http://lv2plug.in/ns/ext/resize-port#"),
    ("state", "http://lv2plug.in/ns/ext/state#"),
    ("time", "http://lv2plug.in/ns/ext/time#"),
    ("ui", "http://lv2plug.in/ns/extensions/ui#"),
    ("units", "http://lv2plug.in/ns/extensions/units#"),
    ("urid", "http://lv2plug.in/ns/ext/urid#"),
  ]

  init() {
    text = "# Written by portative lv2, which replaces this file.\n"
    for (prefix, vocabulary) in Self.prefixes { text += "@prefix \(prefix): <\(vocabulary)> .\n" }
  }

  mutating func add(_ uri: String, _ properties: TurtleProperties) {
    text += "\n\(Turtle.iri(uri))\n\(properties.text(indent: "  ")) .\n"
  }
}
