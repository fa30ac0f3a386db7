import CLilv
import LV2Atoms

extension LV2Plugin {
  /// Reads the description of a plugin.
  init(_ plugin: OpaquePointer, _ lilv: LilvReader) {
    let functions = lilv.functions.pointee
    uri = lilv.uri(of: plugin)
    name = lilv.take(functions.plugin_get_name(plugin))?.text ?? uri
    maker =
      (lilv.take(functions.plugin_get_author_name(plugin))
      ?? lilv.take(functions.plugin_get_project(plugin)).flatMap {
        lilv.value(of: $0.text, "http://usefulinc.com/ns/doap#name")
      })?.text ?? ""
    let type = functions.plugin_get_class(plugin)
    category = functions.plugin_class_get_label(type).map { lilv.value($0).text } ?? ""
    binary = functions.plugin_get_library_uri(plugin).map { lilv.path($0) } ?? ""
    ports = (0..<functions.plugin_get_num_ports(plugin)).map { index in
      LV2Port(functions.plugin_get_port_by_index(plugin, index), of: plugin, Int(index), lilv)
    }
    // lilv lists them in an order that is another one in each process.
    properties = lilv.withNode(LV2URI.writable) { predicate in
      lilv.values((functions.plugin_get_value(plugin, predicate))).map(\.text).sorted()
        .map { LV2Property($0, lilv) }
    }
    let hasMIDI = ports.contains { $0.kind == .atomInput && $0.hasMIDI }
    let hasAudio = ports.contains { $0.kind == .audioInput }
    // Some instruments have audio inputs, which are silent.
    let isInstrument =
      functions.plugin_class_get_uri(type).map { lilv.value($0).text }
      == LV2URI.core + "InstrumentPlugin"
    kind =
      if hasMIDI, isInstrument || !hasAudio {
        .instrument
      } else {
        hasAudio ? (hasMIDI ? .musicEffect : .effect) : .generator
      }
    isHardRealtime = ["requiredFeature", "optionalFeature"].contains { feature in
      lilv.withNode(LV2URI.core + feature) {
        lilv.values(functions.plugin_get_value(plugin, $0))
          .contains { $0.text == LV2URI.core + "hardRTCapable" }
      }
    }
    let features = lilv.values((functions.plugin_get_required_features(plugin))).map(\.text)
    needsBlocks = features.contains(where: LV2Features.ofBlocks.contains)
    problem = Self.problem(ports, features)
  }

  /// Returns why a plugin cannot be played; `nil` if it can.
  private static func problem(_ ports: [LV2Port], _ features: [String]) -> String? {
    if ports.isEmpty {
      return "its description has no ports, or cannot be read: install the plugin again"
    }
    if let feature = features.first(where: { !LV2Features.known.contains($0) }) {
      return "it needs the feature \(feature) of its host, which Portative does not have"
    }
    for port in ports where !port.isOptional {
      switch port.kind {
      case .voltage:
        return "its port '\(port.name)' is for control voltage, which Portative does not have"
      case .oldEvents:
        return "its port '\(port.name)' is for events of the first LV2, before 2012"
      case .unknown: return "its port '\(port.name)' is of an unknown kind"
      default: break
      }
    }
    let outputs = ports.count { $0.kind == .audioOutput }
    if outputs == 0 { return "it has no audio output" }
    let inputs = ports.count { $0.kind == .audioInput }
    let most = max(inputs, outputs)
    return most > 64 ? "it has \(most) audio ports, but a port has at most 64 channels" : nil
  }
}

extension LV2Port {
  fileprivate init(
    _ port: OpaquePointer?, of plugin: OpaquePointer, _ index: Int, _ lilv: LilvReader
  ) {
    let functions = lilv.functions.pointee
    func values(_ predicate: String) -> [LilvReader.Value] {
      lilv.withNode(predicate) { lilv.values((functions.port_get_value(plugin, port, $0))) }
    }
    self.index = index
    symbol = functions.port_get_symbol(plugin, port).map { lilv.value($0).text } ?? "\(index)"
    name = lilv.take(functions.port_get_name(plugin, port))?.text ?? symbol
    let classes = Set(
      lilv.values((functions.port_get_classes(plugin, port)), frees: false).map(\.text))
    kind = Kind(classes)
    let properties = Set(values(LV2URI.core + "portProperty").map(\.text))
    isOptional = properties.contains(LV2URI.core + "connectionOptional")
    let isLatency = properties.contains(LV2URI.core + "reportsLatency")
    designation =
      isLatency ? LV2URI.latency : values(LV2URI.core + "designation").first?.text
    let supported = Set(values(LV2URI.atom + "supports").map(\.text))
    hasMIDI = supported.contains(LV2URI.midiEvent)
    hasPosition = supported.contains(LV2URI.time + "Position")
    minimumSize = values(LV2URI.minimumSize).first?.number.map { Int(clamping: Int64($0)) } ?? 0
    group = values(LV2URI.group).first.map { value in
      Group(
        symbol: lilv.value(of: value.text, LV2URI.core + "symbol")?.text ?? "",
        name: (lilv.value(of: value.text, LV2URI.core + "name")
          ?? lilv.value(of: value.text, LV2URI.label))?.text ?? "")
    }
    guard kind == .controlInput else {
      self.values = LV2Values()
      return
    }
    var range = LV2Values(properties, unit: values(LV2URI.units + "unit").first?.text)
    var nodes: (standard: OpaquePointer?, minimum: OpaquePointer?, maximum: OpaquePointer?)
    functions.port_get_range(plugin, port, &nodes.standard, &nodes.minimum, &nodes.maximum)
    range.standard = lilv.take(nodes.standard)?.number
    range.minimum = lilv.take(nodes.minimum)?.number
    range.maximum = lilv.take(nodes.maximum)?.number
    range.readPoints(functions.port_get_scale_points(plugin, port), lilv)
    self.values = range
  }
}

extension LV2Port.Kind {
  fileprivate init(_ classes: Set<String>) {
    func isA(_ name: String) -> Bool { classes.contains(LV2URI.core + name) }
    let isInput = isA("InputPort")
    guard isInput || isA("OutputPort") else {
      self = .unknown
      return
    }
    if isA("AudioPort") {
      self = isInput ? .audioInput : .audioOutput
    } else if isA("ControlPort") {
      self = isInput ? .controlInput : .controlOutput
    } else if classes.contains(LV2URI.atom + "AtomPort") {
      self = isInput ? .atomInput : .atomOutput
    } else if isA("CVPort") {
      self = .voltage
    } else {
      self = classes.contains("http://lv2plug.in/ns/ext/event#EventPort") ? .oldEvents : .unknown
    }
  }
}

extension LV2Property {
  fileprivate init(_ uri: String, _ lilv: LilvReader) {
    self.uri = uri
    func value(_ predicate: String) -> LilvReader.Value? { lilv.value(of: uri, predicate) }
    name = value(LV2URI.label)?.text ?? uri
    range = value(LV2URI.range)?.text ?? ""
    var values = LV2Values([], unit: value(LV2URI.units + "unit")?.text)
    values.isToggle = range == LV2URI.atom + "Bool"
    values.isInteger = [LV2URI.atom + "Int", LV2URI.atom + "Long"].contains(range)
    values.standard = value(LV2URI.core + "default")?.number
    values.minimum = value(LV2URI.core + "minimum")?.number
    values.maximum = value(LV2URI.core + "maximum")?.number
    self.values = values
  }
}

extension LV2Values {
  /// - Parameter properties: The URIs of the properties of a port.
  fileprivate init(_ properties: Set<String>, unit: String?) {
    isToggle = properties.contains(LV2URI.core + "toggled")
    isInteger = properties.contains(LV2URI.core + "integer")
    isEnumeration = properties.contains(LV2URI.core + "enumeration")
    isRelativeToRate = properties.contains(LV2URI.core + "sampleRate")
    isLogarithmic = properties.contains(LV2URI.logarithmic)
    self.unit = unit
  }

  fileprivate mutating func readPoints(
    _ points: UnsafeMutableRawPointer?, _ lilv: LilvReader
  ) {
    guard let points else { return }
    let functions = lilv.functions.pointee
    defer { functions.scale_points_free(points) }
    var place = functions.scale_points_begin(points)
    while !functions.scale_points_is_end(points, place) {
      let point = functions.scale_points_get(points, place)
      if let value = functions.scale_point_get_value(point).flatMap({ lilv.value($0).number }),
        let label = functions.scale_point_get_label(point)
      {
        self.points.append(Point(value: value, name: lilv.value(label).text))
      }
      place = functions.scale_points_next(points, place)
    }
    self.points.sort { $0.value < $1.value }
  }
}
