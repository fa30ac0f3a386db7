import BatchRenderer
import Configuration
import FluidSynthEngine
import LivePlayer
import LocalSystem
import NodeHost
import NodeProtocol
import PortativeServer
import RenderCore

/// The list of `portative info --presets`: the presets of a SoundFont or of a port whose names contain all words.
struct PresetList {
  private let presets: [Preset]
  private let words: [String]
  /// What has the presets, for messages.
  private let source: String

  init(_ options: InfoOptions) throws {
    if let port = options.port {
      (source, presets) = try Self.presets(ofPort: port)
      words = options.operands
      return
    }
    let first = options.operands.first
    if let first, SoundFontFile.isNamed(first) {
      source = first
      words = Array(options.operands.dropFirst())
    } else {
      source = try SoundFontSearch().find(option: options.soundFont).path
      words = options.operands
    }
    presets = try SoundFont.open(source).presets().map { Preset($0) }
  }

  private static func presets(ofPort name: String) throws -> (name: String, presets: [Preset]) {
    let component = try NodeFinder(for: .port).find(name)
    return (component.port.name, try PortInfo.control(of: component).presets())
  }

  private var found: [Preset] {
    PresetSearch(presets: presets).indices(matching: words).map { presets[$0] }
  }

  var json: OutputText { JSONOutput.presets.line(["presets": found]) }

  /// The table.
  ///
  /// - Throws: ``Failure`` if no preset matches.
  func text() throws(Failure) -> OutputText {
    let found = found
    if !found.isEmpty { return Self.text(found) }
    if presets.isEmpty { throw Failure(.failed, "\(source) has no presets") }
    let text = words.joined(separator: " ")
    let isPort =
      !NodeFinder(
        ComponentRegistry().components(matching: ComponentQuery(), sortedBy: .lastUse), for: .port
      ).named(text).isEmpty
    throw .usage(
      "no preset of \(source) matches '\(text)': "
        + (isPort
          ? "for the presets of the port of this name, use --port '\(text)'"
          : "portative info --presets lists all"))
  }

  /// Presets in columns.
  static func text(_ presets: [Preset]) -> OutputText {
    if presets.allSatisfy({ $0.number != nil }) {
      let rows = presets.map { [$0.number?.description ?? "", $0.name] }
      return Columns.table(["PRESET", "NAME"], rows)
    }
    let rows = presets.map { preset in
      let settings = preset.values.sorted { $0.key < $1.key }
      return [
        preset.name, settings.map { "\($0.key) \($0.value.shortestText)" }.joined(separator: ", "),
      ]
    }
    return Columns.table(["PRESET", "SETS"], rows)
  }
}
