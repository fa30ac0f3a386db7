import LocalSystem

/// A port of `portative serve`, in the words of the configuration file.
///
/// What is left out is as for `portative render`.
public struct PortSettings: Decodable, Equatable, Sendable {
  /// `Maker: Name`.
  public var name: String
  /// Four characters that tell the port from the others.
  public var subtype: String
  /// What it plays: `synth`, `layer`, `resonator`, `delay`, `metronome` or `chain`; `synth` if left out.
  public var unit: String?
  /// `instrument`, `effect`, `musicEffect` or `generator`; what the unit is first of all, if left out.
  public var type: String?
  /// What its parameters are to begin with, by identifier.
  public var parameters: [String: Double]?
  /// The nodes' ports of a chain, from the first to the last.
  public var nodes: [String]?
  /// Four characters; `Ptvo` if left out.
  public var manufacturer: String?
  public var tags: [String]?
  /// The path of an image.
  public var icon: String?

  /// The keyboards that play the port, by name, with `*`, `?` and `[…]` as in file names.
  public var keyboards: [String]?

  /// A file; relative to the configuration's folder, or with `~/`.
  public var soundfont: String?
  /// The one preset that the port plays, on every channel, whatever programs it is sent; left out: a
  /// whole synthesizer that follows program changes.
  public var preset: Preset?
  /// Decibels above or below FluidSynth's default.
  public var gain: Double?
  /// `exact` or `stock`.
  public var timing: String?
  public var reverb: Bool?
  /// Which reverb, where the library has several; its default if left out.
  public var reverbEngine: String?
  public var chorus: Bool?
  /// The most notes at once.
  public var polyphony: Int?

  /// The fields that were given and mean something only for a unit that is a synth or a layer.
  public var soundFontFields: [String] {
    [
      ("soundfont", soundfont != nil), ("preset", preset != nil), ("gain", gain != nil),
      ("timing", timing != nil), ("reverb", reverb != nil), ("chorus", chorus != nil),
      ("polyphony", polyphony != nil), ("reverbEngine", reverbEngine != nil),
    ].filter(\.1).map(\.0)
  }

  public init(name: String, subtype: String, unit: String? = nil, tags: [String]? = nil) {
    self.name = name
    self.subtype = subtype
    self.unit = unit
    self.tags = tags
  }

  enum CodingKeys: String, CodingKey, CaseIterable {
    case name, subtype, unit, type, parameters, nodes, manufacturer, tags, icon, keyboards
    case soundfont, preset, gain, timing, reverb, reverbEngine, chorus, polyphony
  }

  static let shape = JSON5Shape.object(
    CodingKeys.self, [.preset: .object(Preset.CodingKeys.self)])

  public struct Preset: Decodable, Equatable, Sendable {
    /// 0…16383; 128 is drums.
    public var bank: Int
    /// 0…127.
    public var program: Int

    enum CodingKeys: String, CodingKey, CaseIterable { case bank, program }
  }
}
