/// A SoundFont as the SF2 standard layers it: presets use instruments, instruments use samples.
struct SoundFont {
  var name: String
  var engineer: String
  var copyright: String
  var comment: String
  var presets: [Preset] = []
  var instruments: [Instrument] = []
  var samples: [Recording] = []

  struct Preset {
    var name: String
    var bank: Int
    var program: Int
    /// Index in `instruments`.
    var instrument: Int
  }

  struct Instrument {
    var name: String
    var zones: [Zone]
  }

  struct Zone {
    var keys: ClosedRange<Int>
    var generators: [Generator: Int] = [:]
    var modulators: [Modulator] = []
    /// Index in `samples`.
    var sample: Int
  }

  /// How one controller moves one generator.
  ///
  /// Source: *SoundFont Technical Specification 2.01*, section 8.2, for the bits of `source`.
  struct Modulator {
    var source: UInt16
    var destination: Generator
    var amount: Int
  }
}

/// What a zone can set, with the numbers and names of the SF2 standard, section 8.1.2.
enum Generator: UInt16, Comparable {
  case modLfoToPitch = 5
  case vibLfoToPitch = 6
  case modEnvToPitch = 7
  case initialFilterFc = 8
  case initialFilterQ = 9
  case modLfoToFilterFc = 10
  case modEnvToFilterFc = 11
  case modLfoToVolume = 13
  case chorusEffectsSend = 15
  case reverbEffectsSend = 16
  case pan = 17
  case delayModLFO = 21
  case freqModLFO = 22
  case delayVibLFO = 23
  case freqVibLFO = 24
  case attackModEnv = 26
  case holdModEnv = 27
  case decayModEnv = 28
  case sustainModEnv = 29
  case releaseModEnv = 30
  case delayVolEnv = 33
  case attackVolEnv = 34
  case holdVolEnv = 35
  case decayVolEnv = 36
  case sustainVolEnv = 37
  case releaseVolEnv = 38
  case keynumToVolEnvDecay = 40
  case instrument = 41
  case keyRange = 43
  case initialAttenuation = 48
  case coarseTune = 51
  case fineTune = 52
  case sampleID = 53
  case sampleModes = 54
  case scaleTuning = 56
  case exclusiveClass = 57
  case overridingRootKey = 58

  static func < (a: Generator, b: Generator) -> Bool { a.rawValue < b.rawValue }
}
