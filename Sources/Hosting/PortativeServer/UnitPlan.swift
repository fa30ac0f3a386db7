import Configuration
import Effects
import FluidSynthEngine
import FluidSynthUnits
import LocalSystem
import NodeDirectory
import NodeHost
import NodeProtocol
import RenderCore

/// The unit of a port of the configuration.
enum UnitPlan: Equatable {
  case synth(InstrumentSettings, soundFont: String)
  case layer(InstrumentSettings, soundFont: String)
  case resonator
  case delay(isPlayed: Bool)
  case metronome
  /// The names of other ports, which the chain plays.
  case chain([String])

  /// - Parameter soundFont: The path of the SoundFont for a port that names none.
  init(_ port: PortSettings, _ type: PortType, soundFont: String) throws(SettingError) {
    let kind = try Self.kind(port)
    let soundFont = port.soundfont ?? soundFont
    switch kind {
    case .synth: self = .synth(try InstrumentSettings(port), soundFont: soundFont)
    case .layer: self = .layer(try InstrumentSettings(port), soundFont: soundFont)
    case .resonator: self = .resonator
    case .delay: self = .delay(isPlayed: type == .musicEffect)
    case .metronome: self = .metronome
    case .chain:
      guard let nodes = port.nodes, !nodes.isEmpty else {
        throw SettingError(
          port.nodes == nil ? nil : "nodes",
          "a chain needs nodes: [\"NAME\", …], the ports to play, as portative list names them")
      }
      if nodes.count > Self.maximumNodes {
        throw SettingError(
          "nodes", "has \(nodes.count) ports, of which a chain takes \(Self.maximumNodes) at most")
      }
      self = .chain(nodes)
    }
  }

  /// The greatest number of ports of a chain. Each adds a connection, and a wait in every cycle.
  static let maximumNodes = 16

  enum Kind: String, CaseIterable {
    case synth, layer, resonator, delay, metronome, chain

    /// The types as which the unit may be published; the first is the default.
    var types: [PortType] {
      switch self {
      case .synth: [.instrument]
      case .layer, .resonator: [.musicEffect]
      case .delay: [.effect, .musicEffect]
      case .metronome: [.generator]
      case .chain: [.instrument, .effect, .musicEffect, .generator]
      }
    }

    var usesSoundFont: Bool { self == .synth || self == .layer }
  }

  static func kind(_ port: PortSettings) throws(SettingError) -> Kind {
    guard let name = port.unit else { return .synth }
    guard let kind = Kind(rawValue: name) else {
      throw SettingError("unit", is: name, of: Kind.allCases.map(\.rawValue))
    }
    return kind
  }

  static func type(_ port: PortSettings) throws(SettingError) -> PortType {
    let kind = try kind(port)
    guard let name = port.type else { return kind.types[0] }
    guard let type = PortType(rawValue: name), kind.types.contains(type) else {
      let known = kind.types.map(\.rawValue).joined(separator: " or ")
      throw SettingError("type", "of a \(kind.rawValue) must be \(known), but is '\(name)'")
    }
    return type
  }

  /// The name in the configuration.
  var name: String {
    switch self {
    case .synth: Kind.synth.rawValue
    case .layer: Kind.layer.rawValue
    case .resonator: Kind.resonator.rawValue
    case .delay: Kind.delay.rawValue
    case .metronome: Kind.metronome.rawValue
    case .chain: Kind.chain.rawValue
    }
  }

  /// The path of its SoundFont; `nil` if it uses none.
  var soundFont: String? {
    switch self {
    case .synth(_, let soundFont), .layer(_, let soundFont): soundFont
    case .resonator, .delay, .metronome, .chain: nil
    }
  }

  /// Loads the SoundFont, unless it is already loaded or there is none.
  func load() throws(InstrumentError) -> LoadedUnit {
    switch self {
    case .synth(let settings, let path):
      let source = InstrumentSource(soundFont: try SoundFont.open(path), settings: settings)
      try source.check()
      return LoadedUnit(source: source, soundFont: source.soundFont)
    case .layer(let settings, let path):
      let soundFont = try SoundFont.open(path)
      let source = LayerSource(soundFont: soundFont, settings: settings)
      try source.check()
      return LoadedUnit(source: source, soundFont: soundFont)
    case .resonator: return LoadedUnit(source: ResonatorSource())
    case .delay(let isPlayed): return LoadedUnit(source: DelaySource(musicEffect: isPlayed))
    case .metronome: return LoadedUnit(source: MetronomeSource())
    case .chain(let nodes): return LoadedUnit(source: Self.chain(nodes))
    }
  }

  private static func chain(_ nodes: [String]) -> ChainSource {
    let host = AudioHost(name: "portative serve")
    return ChainSource { () throws(ConnectionError) in
      var connections: [Connection] = []
      for node in nodes {
        connections.append(try host.connect(to: try find(node)))
      }
      return connections
    }
  }
}

/// Finds the port for a name in a chain.
private func find(_ name: String) throws(ConnectionError) -> Component {
  do throws(Failure) {
    return try NodeFinder(for: .port).find(name)
  } catch {
    throw .system(error.message)
  }
}

/// The source of a port's units, and the SoundFont, which ports may share.
struct LoadedUnit {
  var source: any RenderUnitSource
  /// A different object if the file has changed.
  var soundFont: SoundFont?
}
