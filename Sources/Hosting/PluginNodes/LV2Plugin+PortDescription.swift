package import LV2Host
import LocalSystem
package import NodeProtocol

extension LV2Plugin {
  /// The type of a port that plays the plugin.
  package var portType: PortType {
    switch kind {
    case .instrument: .instrument
    case .effect: .effect
    case .musicEffect: .musicEffect
    case .generator: .generator
    }
  }

  /// The name of a port that plays the plugin: its maker and its name.
  package var portName: String {
    let maker = Self.plain(maker)
    return "\(maker.isEmpty ? "LV2" : maker): \(Self.plain(name))"
  }

  package var subtype: String { Self.subtype(of: uri) }

  /// The numbers of channels that a port of the plugin has. A plugin with more than two outputs is played with all of them, in
  /// stereo or in mono.
  package func channels() throws(DescriptionError) -> PortChannels {
    try PortChannels(
      inputs: 0...(portType.takesAudio ? max(2, audioInputs) : 0), outputs: 1...max(2, audioOutputs)
    )
  }

  /// Returns four characters for a plugin's URI, always the same.
  package static func subtype(of uri: String) -> String {
    var (hash, code) = (uri.fnvHash, "")
    let digits = Array("0123456789abcdefghijklmnopqrstuvwxyz")
    for _ in 0..<4 {
      code.append(digits[Int(hash % 36)])
      hash /= 36
    }
    return code
  }

  /// The manufacturer of ports that play LV2 plugins.
  package static let manufacturer = "LV2 "

  /// The description of a port that plays the plugin.
  package func description() throws -> PortDescription {
    try PortDescription(
      component: ComponentDescription(
        type: portType, subtype: FourCharacterCode(subtype),
        manufacturer: FourCharacterCode(Self.manufacturer)),
      name: portName, version: SemanticVersion(portativeVersion),
      tags: category.isEmpty ? [] : [category], channels: channels())
  }

  /// A text without what names of ports may not have, at most 100 characters.
  private static func plain(_ text: String) -> String {
    let scalars = text.unicodeScalars.filter { $0.value >= 0x20 && $0.value != 0x7F && $0 != ":" }
    return String(String.UnicodeScalarView(scalars)).split(separator: " ").joined(separator: " ")
      .prefix(100).description
  }
}
