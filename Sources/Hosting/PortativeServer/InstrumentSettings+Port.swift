import Configuration
import FluidSynthEngine
import Glibc

extension InstrumentSettings {
  /// Creates the settings of a port of the configuration.
  init(_ port: PortSettings) throws {
    self.init()
    if let gain = port.gain {
      guard (-60...Self.maximumGain).contains(gain) else {
        throw SettingError(
          "gain", "must be -60 to \(Self.maximumGain) decibels, but is \(OptionValue.brief(gain))")
      }
      self.gain *= pow(10, gain / 20)
    }
    if let name = port.timing {
      guard let timing = Timing(rawValue: name) else {
        throw SettingError("timing", is: name, of: Timing.allCases.map(\.rawValue))
      }
      self.timing = timing
    }
    effects = Effects(reverb: port.reverb ?? true, chorus: port.chorus ?? true)
    reverbEngine = port.reverbEngine
    if let name = port.bankStyle {
      guard let style = BankStyle(rawValue: name) else {
        throw SettingError("bankStyle", is: name, of: BankStyle.allCases.map(\.rawValue))
      }
      bankStyle = style
    }
    polyphony = port.polyphony ?? polyphony
    threads = port.threads ?? threads
    preset = port.preset.map { PresetSelection(bank: $0.bank, program: $0.program) }
    // All ports of a SoundFont share its presets, unless a port plays legato.
    ownsPresets = false
    try validate()
    if timing == .stock, threads > 1 {
      throw SettingError(
        "threads", "must be 1 in stock timing, where one synth plays all notes, but is \(threads)")
    }
  }
}
