import CLV2
import CLilv
import LV2Atoms
import RenderCore

/// The presets of a plugin, those of its bundle and the user's own.
struct LV2Presets {
  private let plugin: LV2Plugin
  private let library: LV2Library
  /// The most presets of a list, and the most values of all of them, so that a list is read within two seconds and a connection can
  /// send it.
  private static let (maximumCount, maximumValues) = (4096, 1 << 18)

  init(_ plugin: LV2Plugin, _ library: LV2Library) {
    self.plugin = plugin
    self.library = library
  }

  /// Returns the presets that are nothing but values of parameters.
  func presets(_ controls: [LV2Control]) -> [Preset] {
    let symbols = symbols(of: controls)
    let found: [Preset]? = try? library.read { lilv throws(LV2Error) in
      var presets: [Preset] = []
      var count = 0
      for uri in uris(lilv).prefix(Self.maximumCount) {
        guard let state = state(uri, lilv) else { continue }
        defer { lilv.functions.pointee.state_free(state) }
        guard lilv.functions.pointee.state_get_num_properties(state) == 0,
          let name = lilv.functions.pointee.state_get_label(state)
        else { continue }
        let values = values(of: state, symbols, lilv)
        count += values.count
        if count > Self.maximumValues { break }
        presets.append(Preset(String(cString: name), values))
      }
      return presets
    }
    return (found ?? []).sorted { $0.name < $1.name }
  }

  /// Returns the URI of the preset with a name.
  ///
  /// - Throws: ``LV2Error/unknownPreset(_:plugin:known:)``.
  func uri(of name: String) throws(LV2Error) -> String {
    try library.read { lilv throws(LV2Error) in try uri(of: name, lilv) }
  }

  /// Whether a preset has a state besides the values of parameters.
  func hasState(_ name: String) throws(LV2Error) -> Bool {
    try library.read { lilv throws(LV2Error) in
      guard let state = state(try uri(of: name, lilv), lilv) else { return false }
      defer { lilv.functions.pointee.state_free(state) }
      return lilv.functions.pointee.state_get_num_properties(state) > 0
    }
  }

  /// Gives an instance the state of a preset.
  ///
  /// - Returns: The values of its parameters.
  func load(
    _ name: String, _ controls: [LV2Control], _ lilv: LilvReader,
    _ restore: (OpaquePointer) -> Void
  ) throws(LV2Error) -> [String: Float] {
    guard let state = state(try uri(of: name, lilv), lilv) else {
      throw .failed("the preset '\(name)' of \(plugin.name) is damaged")
    }
    defer { lilv.functions.pointee.state_free(state) }
    restore(state)
    return values(of: state, symbols(of: controls), lilv)
  }

  private func uri(of name: String, _ lilv: LilvReader) throws(LV2Error) -> String {
    var known: [String] = []
    for uri in uris(lilv) {
      let label = label(uri, lilv)
      if uri == name || label?.lowercased() == name.lowercased() { return uri }
      label.map { known.append($0) }
    }
    let similar = known.filter { $0.lowercased().contains(name.lowercased()) }
    throw .unknownPreset(
      name, plugin: plugin.name,
      known: Array((similar.isEmpty ? known : similar).sorted().prefix(8)))
  }

  private func uris(_ lilv: LilvReader) -> [String] {
    lilv.withNode(LV2URI.preset) { preset in
      guard let plugin = try? lilv.plugin(plugin.uri) else { return [] }
      return lilv.values(lilv.functions.pointee.plugin_get_related(plugin, preset)).map(\.text)
    }
  }

  /// The name of a preset, which may be in its own file.
  private func label(_ uri: String, _ lilv: LilvReader) -> String? {
    if let label = lilv.value(of: uri, LV2URI.label) { return label.text }
    lilv.withNode(uri) { _ = lilv.functions.pointee.world_load_resource(lilv.world, $0) }
    return lilv.value(of: uri, LV2URI.label)?.text
  }

  private func state(_ uri: String, _ lilv: LilvReader) -> OpaquePointer? {
    var map = URINumbers.map
    return lilv.withNode(uri) { node in
      _ = lilv.functions.pointee.world_load_resource(lilv.world, node)
      return lilv.functions.pointee.state_new_from_world(lilv.world, &map, node)
    }
  }

  private func symbols(of controls: [LV2Control]) -> [String: LV2Control] {
    var symbols: [String: LV2Control] = [:]
    for control in controls {
      if case .port(let index) = control.target { symbols[plugin.ports[index].symbol] = control }
    }
    return symbols
  }

  /// Returns the values of parameters by their identifiers.
  private func values(
    of state: OpaquePointer, _ symbols: [String: LV2Control], _ lilv: LilvReader
  ) -> [String: Float] {
    var list = PortValues()
    withUnsafeMutablePointer(to: &list) { list in
      lilv.functions.pointee.state_emit_port_values(
        state,
        { symbol, list, value, size, type in
          guard let symbol, let list, let value else { return }
          list.assumingMemoryBound(to: PortValues.self).pointee
            .add(String(cString: symbol), value, Int(size), type)
        }, list)
    }
    var values: [String: Float] = [:]
    for (symbol, value) in list.values {
      guard let control = symbols[symbol] else { continue }
      values[control.parameter.identifier] = control.parameterValue(value)
    }
    return values
  }
}

/// The values of ports that a state names.
private struct PortValues {
  private(set) var values: [(symbol: String, value: Float)] = []

  mutating func add(_ symbol: String, _ value: UnsafeRawPointer, _ size: Int, _ type: LV2_URID) {
    func isA(_ name: String) -> Bool { type == URINumbers.number(of: LV2URI.atom + name) }
    if size == 4, isA("Float") {
      values.append((symbol, value.loadUnaligned(as: Float.self)))
    } else if size == 8, isA("Double") {
      values.append((symbol, Float(value.loadUnaligned(as: Double.self))))
    } else if size == 4, isA("Int") || isA("Bool") {
      values.append((symbol, Float(value.loadUnaligned(as: Int32.self))))
    }
  }
}
