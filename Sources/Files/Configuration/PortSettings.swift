import LocalSystem

/// The settings of a port of `portative serve` in the configuration file.
///
/// Defaults are those of `portative render`.
public struct PortSettings: Decodable, Equatable, Sendable {
  /// `Maker: Name`; empty for that of an LV2 plugin.
  public var name: String
  /// Four characters that identify the port; empty for those of an LV2 plugin.
  public var subtype: String
  /// The LV2 plugin that the port plays: its URI, which `#` and the name of a preset may follow.
  public var lv2: String?
  /// The files that the plugin plays, by the names of its properties; relative to the configuration's folder, or with `~/`.
  public var files: [String: String]?
  /// Texts for the plugin, by the names of its properties.
  public var texts: [String: String]?
  /// Whether the plugin has a process of its own: `process`, the default, or `shared`.
  public var isolation: String?
  /// What plays channels, by these as `1` or `2,3`: `lv2:URI`, `sf2:FILE` or the name of a port.
  public var instruments: [String: String]?
  /// What names a SoundFont where plugins and ports can be named, too.
  package static let soundFontPrefix = "sf2:"
  /// The unit: `synth`, `multi-synth`, `split`, `layer`, `resonator`, `delay`, `metronome`, `chain` or `lv2`; the default is
  /// `synth`, `lv2` for a port with a plugin, or `split` for one with instruments.
  public var unit: String?
  /// `instrument`, `effect`, `musicEffect` or `generator`; the default is the unit's primary type.
  public var type: String?
  /// The initial values of its parameters, by identifier.
  public var parameters: [String: Double]?
  /// The node ports of a chain, from first to last.
  public var nodes: [String]?
  /// Four characters; the default is `Ptvo`.
  public var manufacturer: String?
  public var tags: [String]?
  /// The path of an image.
  public var icon: String?

  /// The names of keyboards that play the port, with `*`, `?` and `[…]` as in file names.
  public var keyboards: [String]?

  /// The path of a SoundFont; relative to the configuration's folder, or with `~/`.
  public var soundfont: String?
  /// The single preset that the port plays on every channel, ignoring program changes. By default the port is a
  /// complete synthesizer that executes program changes.
  public var preset: Preset?
  /// The gain relative to FluidSynth's default, in decibels.
  public var gain: Double?
  /// `exact` or `stock`.
  public var timing: String?
  public var reverb: Bool?
  /// The reverb engine, if the library has several; the default is the library's.
  public var reverbEngine: String?
  public var chorus: Bool?
  /// How bank selects and System Exclusive messages choose presets: `auto`, `gs`, `gm`, `gm2`, `xg`, `mma` or `library`.
  public var bankStyle: String?
  /// The greatest number of simultaneous voices.
  public var polyphony: Int?
  /// The sounds of parts of keyboards; the default is one zone for the whole keyboard.
  public var zones: [ZoneSettings]?
  /// The number of threads that render the port's notes in `exact` timing; the default is 1.
  public var threads: Int?

  /// The fields that are set but only apply to the units synth, multi-synth, split and layer.
  public var soundFontFields: [String] {
    [
      ("soundfont", soundfont != nil), ("preset", preset != nil), ("gain", gain != nil),
      ("timing", timing != nil), ("reverb", reverb != nil), ("chorus", chorus != nil),
      ("polyphony", polyphony != nil), ("threads", threads != nil),
      ("reverbEngine", reverbEngine != nil), ("bankStyle", bankStyle != nil),
    ].filter(\.1).map(\.0)
  }

  /// The fields that are set but only apply to LV2 plugins.
  public var pluginFields: [String] {
    [("files", files != nil), ("texts", texts != nil)].filter(\.1).map(\.0)
  }

  public init(name: String, subtype: String, unit: String? = nil, tags: [String]? = nil) {
    self.name = name
    self.subtype = subtype
    self.unit = unit
    self.tags = tags
  }

  /// - Parameter uri: An LV2 plugin, whose name and subtype the port has.
  public init(lv2 uri: String) {
    self.init(name: "", subtype: "")
    lv2 = uri
  }

  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    lv2 = try container.decodeIfPresent(String.self, forKey: .lv2)
    if lv2 != nil {
      name = try container.decodeIfPresent(String.self, forKey: .name) ?? ""
      subtype = try container.decodeIfPresent(String.self, forKey: .subtype) ?? ""
    } else {
      name = try container.decode(String.self, forKey: .name)
      subtype = try container.decode(String.self, forKey: .subtype)
    }
    files = try container.decodeIfPresent([String: String].self, forKey: .files)
    texts = try container.decodeIfPresent([String: String].self, forKey: .texts)
    isolation = try container.decodeIfPresent(String.self, forKey: .isolation)
    instruments = try container.decodeIfPresent([String: String].self, forKey: .instruments)
    unit = try container.decodeIfPresent(String.self, forKey: .unit)
    type = try container.decodeIfPresent(String.self, forKey: .type)
    parameters = try container.decodeIfPresent([String: Double].self, forKey: .parameters)
    nodes = try container.decodeIfPresent([String].self, forKey: .nodes)
    manufacturer = try container.decodeIfPresent(String.self, forKey: .manufacturer)
    tags = try container.decodeIfPresent([String].self, forKey: .tags)
    icon = try container.decodeIfPresent(String.self, forKey: .icon)
    keyboards = try container.decodeIfPresent([String].self, forKey: .keyboards)
    soundfont = try container.decodeIfPresent(String.self, forKey: .soundfont)
    preset = try container.decodeIfPresent(Preset.self, forKey: .preset)
    gain = try container.decodeIfPresent(Double.self, forKey: .gain)
    timing = try container.decodeIfPresent(String.self, forKey: .timing)
    reverb = try container.decodeIfPresent(Bool.self, forKey: .reverb)
    reverbEngine = try container.decodeIfPresent(String.self, forKey: .reverbEngine)
    chorus = try container.decodeIfPresent(Bool.self, forKey: .chorus)
    bankStyle = try container.decodeIfPresent(String.self, forKey: .bankStyle)
    polyphony = try container.decodeIfPresent(Int.self, forKey: .polyphony)
    zones = try container.decodeIfPresent([ZoneSettings].self, forKey: .zones)
    threads = try container.decodeIfPresent(Int.self, forKey: .threads)
  }

  enum CodingKeys: String, CodingKey, CaseIterable {
    case name, subtype, lv2, files, texts, isolation, instruments, unit, type, parameters, nodes
    case manufacturer, tags, icon, keyboards
    case soundfont, preset, gain, timing, reverb, reverbEngine, chorus, bankStyle, polyphony, zones
    case threads
  }

  static let shape = JSON5Shape.object(
    CodingKeys.self,
    [.preset: .object(Preset.CodingKeys.self), .zones: .list(of: ZoneSettings.shape)])

  public struct Preset: Decodable, Equatable, Sendable {
    /// The bank, 0…16383; 128 is drums.
    public var bank: Int
    /// The program, 0…127.
    public var program: Int

    enum CodingKeys: String, CodingKey, CaseIterable { case bank, program }
  }
}
