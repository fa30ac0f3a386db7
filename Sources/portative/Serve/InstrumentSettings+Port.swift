import Configuration
import FluidSynthInstrument
import Glibc

extension InstrumentSettings {
  /// What a port of the configuration is played with.
  init(_ port: PortSettings) throws(Failure) {
    self.init()
    if let gain = port.gain {
      guard (-60...SongOptions.maximumGain).contains(gain) else {
        throw Failure(
          .failed,
          "gain must be -60 to \(SongOptions.maximumGain) decibels, but is \(OptionValue.brief(gain))"
        )
      }
      self.gain *= pow(10, gain / 20)
    }
    if let name = port.timing {
      guard let timing = Timing(rawValue: name) else {
        throw Failure(.failed, "timing must be exact or stock, but is '\(name)'")
      }
      self.timing = timing
    }
    effects = Effects(reverb: port.reverb ?? true, chorus: port.chorus ?? true)
    polyphony = port.polyphony ?? polyphony
    preset = port.preset.map { PresetSelection(bank: $0.bank, program: $0.program) }
    // All ports of a SoundFont share its presets, until one plays legato.
    ownsPresets = false
    do throws(InstrumentError) {
      try validate()
    } catch {
      throw Failure(.failed, error.description)
    }
  }
}
