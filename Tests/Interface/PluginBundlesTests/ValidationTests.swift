import Foundation
import NodeProtocol
import RenderCore
import TestSupport
import Testing

@testable import PluginBundles

@Suite(.timeLimit(.minutes(5)), .enabled(if: LV2Tools.isRequired)) struct ValidationTests {
  private let temporary: TemporaryFolder
  private let library: String

  init() throws {
    temporary = try TemporaryFolder()
    library = try temporary.createFile("portative.so")
  }

  /// A node with names that need care in Turtle, and a plugin of each kind.
  private func content() throws -> BundleContent {
    let parameters = [
      Parameter(
        "time.ms", #""Time" \ 時間"#, 1...4000, default: 0.5 + 1, unit: .milliseconds,
        scale: .logarithmic),
      Parameter("enabled", "", -1e8...1e8, default: 1e-7, unit: .decibels),
      Parameter(choice: "mode", "Mode", of: [#"A "1""#, #"B\"#, "<c>", "Ж"], default: 2),
      Parameter(toggle: "2nd é", "Toggle", default: true),
      Parameter("beat", "Beat", 0...8, default: 1, unit: .beats),
      Parameter("semi", "Semi", -12...12, default: 0, unit: .semitones),
      Parameter("cent", "Cent", -12...12, default: 0, unit: .cents),
      Parameter("percent", "Percent", 0...100, default: 0, unit: .percent),
      Parameter("seconds", "Seconds", 0...100, default: 0, unit: .seconds),
      Parameter("preset.bank", "Bank", 0...128, default: 0, unit: .index),
      Parameter("preset.program", "Program", 0...128, default: 0, unit: .index),
    ]
    let presets = [
      Preset(#"Quo"te \ <b> 🎹"#, ["time.ms": 2.5]), Preset("Same", [:]), Preset("Same", [:]),
      Preset("Kit", ["preset.bank": 128, "preset.program": 1]),
    ]
    var plugins = try PortType.allCases.map { type in
      try makePlugin(
        type, subtype: #"<"\>"#, name: #"Ma"ker\: "Name" 'ü' \"#, tags: ["reverb"],
        parameters: parameters,
        groups: [.init("time", #"Ti"me"#), .init("preset", "Preset")], presets: presets)
    }
    plugins.append(try makePlugin(subtype: " x% ", outputs: 34))
    plugins.append(try makePlugin(.effect, subtype: "mono", inputs: 1, outputs: 1))
    plugins.append(try makePlugin(.effect, subtype: "wide", inputs: 6, outputs: 3))
    plugins += [.instrument, .effect, .musicEffect].map { BundledPlugin(anyPortOf: $0) }
    return BundleContent(node: #"My "organ" \ ü 50% #1"#, plugins: plugins)
  }

  private func install(_ content: BundleContent) throws -> String {
    let folder = BundleFolder(temporary("lv2"))
    _ = try folder.install(content, library: library)
    return "\(folder.path)/\(content.folderName)"
  }

  @Test func `bundles conform to the schemas of LV2, whatever names they contain`() throws {
    let faults = try LV2Tools.faults(of: install(content()))
    #expect(faults == "")
  }

  @Test func `hosts find the names, ports and presets`() throws {
    let content = try content()
    _ = try install(content)
    for plugin in content.plugins {
      let text = try LV2Tools.description(of: plugin.description.uri, in: temporary("lv2"))
      #expect(text.contains("Name:              \(plugin.description.name)\n"), "\(text)")
      #expect(
        text.contains("Author:            \(plugin.description.port?.maker ?? "Portative")\n"))
      #expect(text.contains("Required Features: http://lv2plug.in/ns/ext/urid#map\n"))
      let symbols = text.split(separator: "\n").filter { $0.hasPrefix("\t\tSymbol:") }
        .compactMap { $0.split(separator: " ").last.map(String.init) }
      #expect(symbols == PluginPortNames(plugin.description).symbols)
      for preset in plugin.presets { #expect(text.contains("\t         \(preset.name)\n")) }
    }
  }

  @Test(arguments: [
    ("plugins.ttl", "  lv2:symbol \"out_left\" ;\n", ""),
    ("plugins.ttl", "lv2:index 5 ;", "lv2:index \"five\" ;"),
    ("presets.ttl", "  rdfs:label \"Kit\" ;\n", ""),
  ])
  func `the validator finds a fault`(file: String, text: String, replacement: String) throws {
    let bundle = try install(content())
    let path = "\(bundle)/\(file)"
    let valid = try String(contentsOfFile: path, encoding: .utf8)
    #expect(valid.contains(text))
    try valid.replacing(text, with: replacement).write(
      toFile: path, atomically: true, encoding: .utf8)
    #expect(try LV2Tools.faults(of: bundle) != "")
  }
}
