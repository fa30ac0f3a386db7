import RenderCore

extension ResonatorUnit {
  static let factoryPresets = [
    preset("Sympathetic Strings", decay: 3, damping: 6000, gain: 0, mix: 40),
    preset("Harp in the Room", decay: 8, damping: 9000, gain: 0, mix: 60),
    preset("Felt", decay: 1.5, damping: 1200, gain: 3, mix: 60),
    preset("Bamboo", decay: 0.25, damping: 3000, gain: 6, mix: 70),
    preset("Glass", decay: 12, damping: 20_000, gain: -3, mix: 80),
    preset("Only the Chord", decay: 4, damping: 5000, gain: 0, mix: 100),
  ]

  private static func preset(
    _ name: String, decay: Float, damping: Float, gain: Float, mix: Float
  ) -> Preset {
    Preset(name, ["decay": decay, "damping": damping, "gain": gain, "mix": mix])
  }
}
