import AudioFile
import FluidSynthEngine
import Glibc
import MIDIFile
import OfflineRenderer

extension RenderReport {
  /// Levels are in decibels, to a hundredth; absent for silence, and where they were not measured.
  struct Song: Codable, Equatable, Sendable {
    /// Its place in the list, from 0.
    var index = 0
    var input: String
    /// Of the song's bytes.
    var inputHash: String?
    var output: String
    /// See ``RenderReport/recipe(_:soundFontHash:)``.
    var recipe: String?
    /// All that was written for it: audio, stems, picture.
    var files: [File]?
    /// Where they are not those of the run.
    var soundFont: SoundFont?
    var settings: Settings?
    var frames: Int
    var seconds: Double
    var bytes: Int
    var hash: String
    var peakDBFS: Double?
    var truePeakDBTP: Double?
    var loudnessLUFS: Double?
    /// What `--normalize` added.
    var normalizationGain: Double?
    var clippedFrames: Int
    var notes: Int
    /// Those whose samples were all zero, for whatever reason; the next two count two of the reasons.
    var silentNotes: Int
    /// Those that the SoundFont has nothing for. Absent in older reports.
    var unmappedNotes: Int?
    /// Those that found no free voice. Absent in older reports.
    var voicelessNotes: Int?
    var legatoNotes: Int
    var stolenNotes: Int
    var unreleasedNotes: Int
    var inexactOnsets: Int
    /// The most at once.
    var voices: Int
    var lanes: Int
    var clippedSends: Int
    var isTailCut: Bool
    var missingPresets: [MissingPreset]
    var repairs: [Mended]
    /// Repairs beyond those listed.
    var unlistedRepairs: Int
    /// Absent where none were asked for.
    var stems: [Stem]?
    var warnings: [String]

    init(input: String, output: String, _ report: SongReport, warnings: [String]) {
      self.input = input
      self.output = output
      let (audio, statistics) = (report.audio, report.statistics)
      frames = audio.file.frames
      seconds = audio.seconds
      bytes = audio.file.bytes
      hash = audio.hash
      peakDBFS = Self.decibels(Double(audio.file.peak))
      truePeakDBTP = audio.truePeak.flatMap(Self.decibels)
      loudnessLUFS = audio.integratedLoudness.map(Self.hundredths)
      normalizationGain = report.normalization.map { Self.hundredths($0.gain) }
      clippedFrames = audio.file.clippedFrames
      notes = statistics.notes
      silentNotes = statistics.silentNotes
      unmappedNotes = statistics.unmappedNotes
      voicelessNotes = statistics.voicelessNotes
      legatoNotes = statistics.legatoNotes
      stolenNotes = statistics.stolenNotes
      unreleasedNotes = report.unreleasedNotes
      inexactOnsets = statistics.inexactOnsets
      voices = statistics.mostVoices
      lanes = statistics.mostLanes
      clippedSends = statistics.clippedSends
      isTailCut = report.isTailCut
      missingPresets = report.substitutions.map(MissingPreset.init)
      repairs = report.repairs.map(Mended.init)
      unlistedRepairs = report.unlistedRepairs
      stems = report.stems?.stems.map(Stem.init)
      self.warnings = warnings
    }

    fileprivate static func decibels(_ level: Double) -> Double? {
      level > 0 ? hundredths(20 * log10(level)) : nil
    }

    private static func hundredths(_ value: Double) -> Double { (value * 100).rounded() / 100 }
  }

  /// A part of the song by itself.
  struct Stem: Codable, Equatable, Sendable {
    /// `wet` is reverb and chorus, and `rest` what belongs to no stem.
    var name: String
    var output: String
    var frames: Int
    var bytes: Int
    var hash: String
    var peakDBFS: Double?

    init(_ stem: StemsReport.Stem) {
      name = stem.name
      output = stem.path
      frames = stem.audio.file.frames
      bytes = stem.audio.file.bytes
      hash = stem.audio.hash
      peakDBFS = Song.decibels(Double(stem.audio.file.peak))
    }
  }

  /// A preset that is not in the SoundFont, and what played instead; `nil` where nothing did.
  struct MissingPreset: Codable, Equatable, Sendable {
    struct Preset: Codable, Equatable, Sendable {
      var bank: Int
      var program: Int
    }
    var bank: Int
    var program: Int
    var replacement: Preset?

    init(_ substitution: PresetSubstitution) {
      bank = substitution.bank
      program = substitution.program
      replacement = substitution.replacement.map { Preset(bank: $0.bank, program: $0.program) }
    }
  }

  /// A fault of the file, where it is, and what was done about it.
  struct Mended: Codable, Equatable, Sendable {
    var offset: Int
    var found: String
    var done: String

    init(_ repair: Repair) {
      offset = repair.offset
      found = repair.kind.found
      done = repair.kind.done
    }
  }
}
