import CFluidSynth

/// The library's default values of reverb and chorus, which differ between versions.
///
/// Realtime: no, except for reading the values.
package struct EffectDefaults: Sendable, BitwiseCopyable {
  package let room: Double
  package let damping: Double
  package let width: Double
  package let reverbLevel: Double
  package let voices: Int32
  package let chorusLevel: Double
  package let speed: Double
  package let depth: Double

  package static let shared = EffectDefaults()

  var reverb: ReverbValues {
    ReverbValues(
      room: Float(room), damping: Float(damping), width: Float(width), level: Float(reverbLevel))
  }

  var chorus: ChorusValues {
    ChorusValues(
      voices: voices, level: Float(chorusLevel), speed: Float(speed), depth: Float(depth))
  }

  private init() {
    quietLibrary()
    let settings = new_fluid_settings()
    defer { delete_fluid_settings(settings) }
    func number(_ name: String) -> Double {
      var value = 0.0
      fluid_settings_getnum_default(settings, "synth.\(name)", &value)
      return value
    }
    room = number("reverb.room-size")
    damping = number("reverb.damp")
    width = number("reverb.width")
    reverbLevel = number("reverb.level")
    var count: Int32 = 0
    fluid_settings_getint_default(settings, "synth.chorus.nr", &count)
    voices = count
    chorusLevel = number("chorus.level")
    speed = number("chorus.speed")
    depth = number("chorus.depth")
  }
}
