import LocalSystem
import NodeProtocol

extension PluginDescription {
  /// The audio ports of plugin standards whose ports have several channels: their names and numbers of channels.
  package func audioPorts(_ isInput: Bool) -> [(name: String, channels: Int)] {
    let groups =
      isInput
      ? ChannelGroup.groups(ofInputs: inputChannels)
      : ChannelGroup.groups(ofOutputs: outputChannels, type: type)
    return groups.map { ($0.name, $0.channels.count) }
  }
}

/// Channels of a plugin that belong together: a stereo pair, or one channel.
struct ChannelGroup: Equatable {
  let name: String
  var symbol: String
  let channels: [Channel]

  struct Channel: Equatable {
    let name: String
    let symbol: String
    /// The meaning of the channel in its group.
    let designation: TurtleTerm
  }

  var isStereo: Bool { channels.count == 2 }

  private init(stereo name: String, _ symbol: String) {
    self.name = name
    self.symbol = symbol
    channels = [
      Channel(name: "\(name) Left", symbol: "\(symbol)_left", designation: "pg:left"),
      Channel(name: "\(name) Right", symbol: "\(symbol)_right", designation: "pg:right"),
    ]
  }

  private init(mono name: String, _ symbol: String) {
    self.name = name
    // Ports and groups have different symbols.
    self.symbol = "\(symbol)_group"
    channels = [Channel(name: name, symbol: symbol, designation: "pg:center")]
  }

  static func groups(ofInputs count: Int) -> [Self] { groups(count, "Input", "in") }

  /// - Parameter type: The type of the port. An instrument with 34 channels has a pair for each of the sixteen MIDI
  ///   channels, and one for the effects.
  static func groups(ofOutputs count: Int, type: PortType) -> [Self] {
    if let pairs = type.outputPairs(channels: count) {
      return pairs.map { Self(stereo: $0, $0.symbol) }
    }
    return groups(count, "Output", "out")
  }

  private static func groups(_ count: Int, _ name: String, _ symbol: String) -> [Self] {
    switch count {
    case 1: [Self(mono: name, symbol)]
    case 2: [Self(stereo: name, symbol)]
    case _ where count.isMultiple(of: 2):
      stride(from: 1, to: count, by: 2).map { first in
        Self(stereo: "\(name) \(first)/\(first + 1)", "\(symbol)_\(first)_\(first + 1)")
      }
    default: (0..<count).map { Self(mono: "\(name) \($0 + 1)", "\(symbol)_\($0 + 1)") }
    }
  }
}
