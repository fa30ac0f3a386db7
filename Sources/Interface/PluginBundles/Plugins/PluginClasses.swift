import NodeProtocol

extension PluginDescription {
  /// The LV2 classes, by which hosts sort plugins in their browsers.
  var classes: [TurtleTerm] {
    switch type {
    case .instrument: ["lv2:Plugin", "lv2:InstrumentPlugin"]
    case .generator: ["lv2:Plugin", "lv2:GeneratorPlugin"]
    case .effect, .musicEffect: ["lv2:Plugin"] + effectClasses
    }
  }

  /// The classes of an effect that its tags name.
  private var effectClasses: [TurtleTerm] {
    Self.classes.filter { tag, _ in port?.tags.contains { $0.lowercased() == tag } ?? false }
      .map(\.class)
  }

  private static let classes: [(tag: String, class: TurtleTerm)] = [
    ("amplifier", "lv2:AmplifierPlugin"), ("chorus", "lv2:ChorusPlugin"),
    ("compressor", "lv2:CompressorPlugin"), ("delay", "lv2:DelayPlugin"),
    ("distortion", "lv2:DistortionPlugin"), ("equalizer", "lv2:EQPlugin"),
    ("filter", "lv2:FilterPlugin"), ("flanger", "lv2:FlangerPlugin"), ("gate", "lv2:GatePlugin"),
    ("limiter", "lv2:LimiterPlugin"), ("phaser", "lv2:PhaserPlugin"),
    ("reverb", "lv2:ReverbPlugin"),
  ]
}
