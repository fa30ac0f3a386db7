package import LocalSystem

/// The reason why an instrument could not be created.
public enum InstrumentError: Error, Equatable, CustomStringConvertible {
  /// The file does not exist or may not be read; the reason is the system's.
  case soundFontUnreadable(path: String, reason: String)
  /// The file exists, but is not a SoundFont that FluidSynth can use.
  case notASoundFont(path: String, reason: String)
  /// There is not enough memory to load the file, which may be intact.
  case noMemoryForSoundFont(path: String)
  /// The SoundFont has no preset with this bank and program.
  case noSuchPreset(PresetSelection, path: String)
  case rateOutOfRange(Int)
  /// A setting other than the sample rate is out of range.
  case settingOutOfRange(name: String, value: String, range: String)
  /// The library has no reverb engine of this name. `available` contains the names it has; it is empty if
  /// there is only one reverb.
  case noSuchReverbEngine(String, available: [String])
  /// The loaded FluidSynth does not behave as the exact engine requires.
  case unusableLibrary(String)
  case outOfMemory
  /// A thread that helps the render thread could not be started.
  case cannotStartThread(reason: String)

  public var description: String {
    switch self {
    case .soundFontUnreadable(let path, let reason):
      "cannot read the SoundFont \(path): \(reason)"
    case .notASoundFont(let path, let reason):
      "\(path) is not a usable SoundFont (\(reason)): give an .sf2 or .sf3 file"
    case .noMemoryForSoundFont(let path):
      "not enough memory to load the SoundFont \(path): close other programs, raise the limit (ulimit -v, or "
        + "MemoryMax= of the service or container), or use a smaller SoundFont"
    case .noSuchPreset(let preset, let path):
      "\(path) has no preset \(preset.bank):\(preset.program): choose one that it has"
    case .rateOutOfRange(let rate):
      "the sample rate must be 8000 to 96000 frames per second, but is \(rate)"
    case .settingOutOfRange(let name, let value, let range):
      "\(name) must be \(range), but is \(value)"
    case .noSuchReverbEngine(let name, let available):
      available.isEmpty
        ? "FluidSynth \(FluidSynthLibrary.version) has only one reverb, and no engine '\(name)': "
          + "omit the reverb engine, or install FluidSynth 2.6"
        : "FluidSynth \(FluidSynthLibrary.version) has no reverb engine '\(name)'; it has "
          + available.joined(separator: ", ")
    case .unusableLibrary(let finding):
      "this FluidSynth cannot be used for exact timing: \(finding); use stock timing"
    case .outOfMemory:
      "out of memory while creating a synth: close other programs, or raise the limit (ulimit -v, or MemoryMax= of "
        + "the service or container)"
    case .cannotStartThread(let reason):
      "cannot start a thread of the instrument: \(reason)"
    }
  }
}

extension InstrumentError: FailureConvertible {
  package var failure: Failure {
    switch self {
    case .soundFontUnreadable, .notASoundFont, .noSuchPreset:
      Failure(.soundFontUnusable, description)
    case .rateOutOfRange, .settingOutOfRange, .noSuchReverbEngine: Failure(.usage, description)
    case .unusableLibrary, .outOfMemory, .noMemoryForSoundFont, .cannotStartThread:
      Failure(.failed, description)
    }
  }
}
