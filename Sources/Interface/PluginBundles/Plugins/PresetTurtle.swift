import LocalSystem
import RenderCore

/// The presets of a plugin in Turtle.
struct PresetTurtle {
  private let plugin: BundledPlugin
  private let names: PluginPortNames
  private let ports: PluginPorts
  /// The URIs, in the order of the presets.
  private let uris: [String]

  init(_ plugin: BundledPlugin) {
    self.plugin = plugin
    names = PluginPortNames(plugin.description)
    ports = PluginPorts(plugin.description)
    uris = Self.uris(plugin)
  }

  /// Returns a URI for each preset that depends on no other preset, unless two have the same name. A preset of a
  /// SoundFont has its numbers, which mean the same instrument in most SoundFonts.
  private static func uris(_ plugin: BundledPlugin) -> [String] {
    var used: Set<String> = []
    return plugin.presets.map { preset in
      let name =
        preset.soundFontNumbers.map { "\($0.bank)-\($0.program)" }
        ?? PercentEncoding.encode(preset.name, except: "-_")
      return used.insertUnique("\(plugin.description.uri)#preset-\(name)", separator: "-")
    }
  }

  /// Adds what the manifest has of each preset.
  func announce(in manifest: inout TurtleDocument, file: String) {
    for uri in uris {
      var properties = TurtleProperties(types: ["pset:Preset"])
      properties.add("lv2:appliesTo", .iri(plugin.description.uri))
      properties.add("rdfs:seeAlso", .iri(file))
      manifest.add(uri, properties)
    }
  }

  func write(to document: inout TurtleDocument) {
    let banks = Set(plugin.presets.compactMap { $0.soundFontNumbers?.bank }).sorted()
    for bank in banks {
      var properties = TurtleProperties(types: ["pset:Bank"])
      properties.add("rdfs:label", .text(Self.name(ofBank: bank)))
      document.add(uri(ofBank: bank), properties)
    }
    for (preset, uri) in zip(plugin.presets, uris) {
      var properties = TurtleProperties(types: ["pset:Preset"])
      properties.add("lv2:appliesTo", .iri(plugin.description.uri))
      properties.add("rdfs:label", .text(preset.name))
      if let numbers = preset.soundFontNumbers {
        properties.add("pset:bank", .iri(self.uri(ofBank: numbers.bank)))
      }
      properties.add("lv2:port", values(of: preset).map(TurtleTerm.resource))
      document.add(uri, properties)
    }
  }

  private func values(of preset: Preset) -> [TurtleProperties] {
    plugin.description.parameters.parameters.indices.compactMap { index in
      let parameter = plugin.description.parameters.parameters[index]
      guard let value = preset.values[parameter.identifier], value.isFinite else { return nil }
      var properties = TurtleProperties()
      properties.add("lv2:symbol", .text(names.symbols[ports.parameters.lowerBound + index]))
      // qtractor ignores a value whose type is not a float's.
      properties.add("pset:value", .decimal(value))
      return properties
    }
  }

  private func uri(ofBank bank: Int) -> String { "\(plugin.description.uri)#bank-\(bank)" }

  /// Bank 128 of a SoundFont has its drum kits.
  private static func name(ofBank bank: Int) -> String { bank == 128 ? "Drums" : "Bank \(bank)" }
}

extension Preset {
  /// The numbers of a preset that is one of a SoundFont, and sets nothing else.
  package var soundFontNumbers: (bank: Int, program: Int)? {
    guard values.count == 2, let bank = values["preset.bank"].flatMap({ Int(exactly: $0) }),
      let program = values["preset.program"].flatMap({ Int(exactly: $0) })
    else { return nil }
    return (bank, program)
  }
}
