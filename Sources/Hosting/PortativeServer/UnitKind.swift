import Configuration
import FluidSynthEngine
import NodeProtocol
import RenderCore

/// The units that a port of the configuration can have.
package enum UnitKind: String, CaseIterable, Sendable {
  case synth
  case multiSynth = "multi-synth"
  case split
  case layer, resonator, delay, metronome, chain
  case lv2

  /// - Throws: ``SettingError`` for an unknown name.
  init(_ port: PortSettings) throws(SettingError) {
    guard let name = port.unit else {
      self = port.lv2 != nil ? .lv2 : port.instruments != nil ? .split : .synth
      return
    }
    guard let kind = Self(rawValue: name) else {
      throw SettingError("unit", is: name, of: Self.allCases.map(\.rawValue))
    }
    self = kind
  }

  /// Returns the type as which a port publishes the unit.
  func type(_ port: PortSettings) throws(SettingError) -> PortType {
    guard let name = port.type else { return types[0] }
    guard let type = PortType(rawValue: name), types.contains(type) else {
      let known = types.map(\.rawValue).joined(separator: " or ")
      throw SettingError("type", "of a \(rawValue) must be \(known), but is '\(name)'")
    }
    return type
  }

  /// The types as which the unit may be published; the first is the default.
  private var types: [PortType] {
    switch self {
    case .synth, .multiSynth, .split: [.instrument]
    case .layer, .resonator: [.musicEffect]
    case .delay: [.effect, .musicEffect]
    case .metronome: [.generator]
    // A port of a plugin gets the plugin's type.
    case .chain, .lv2: [.instrument, .effect, .musicEffect, .generator]
    }
  }

  /// The numbers of channels that the unit has; `nil` if they depend on others.
  var channels: PortChannels? {
    get throws(DescriptionError) {
      switch self {
      case .synth: try PortChannels(inputs: 0...0, outputs: 2...2)
      case .multiSynth:
        try PortChannels(
          inputs: 0...0,
          outputs: MultiSynthSource.outputChannels...MultiSynthSource.outputChannels)
      case .layer: try PortChannels(inputs: 1...2, outputs: 2...2)
      case .resonator, .delay: try PortChannels(inputs: 1...2, outputs: 1...2)
      case .metronome: try PortChannels(inputs: 0...0, outputs: Format.outputChannelCounts)
      case .split, .chain, .lv2: nil
      }
    }
  }

  /// Whether the unit may send MIDI: a chain sends what its first node sends.
  var sendsMIDI: Bool { self == .chain || self == .lv2 }

  var usesSoundFont: Bool {
    switch self {
    case .synth, .multiSynth, .split, .layer: true
    case .resonator, .delay, .metronome, .chain, .lv2: false
    }
  }
}
