import AudioFile
import FluidSynthEngine
import Glibc
import MIDIFile
package import OfflineRenderer
import Options

extension RenderReport {
  /// The entry of a rendered song. Levels are in decibels, rounded to hundredths; they are absent for silence, and if
  /// they were not measured.
  package struct Song: Codable, Equatable, Sendable {
    /// The song's index in the list, from 0.
    package var index = 0
    var input: String
    /// The hash of the song's bytes.
    var inputHash: String?
    package var output: String
    /// See ``RenderReport/recipe(_:soundFontHash:)``.
    var recipe: String?
    /// All files that were written for the song: audio, stems and picture.
    var files: [File]?
    /// The SoundFont and the settings, if they differ from those of the run.
    var soundFont: SoundFont?
    var settings: Settings?
    var frames: Int
    package var seconds: Double
    var bytes: Int
    var hash: String
    var peakDBFS: Double?
    var truePeakDBTP: Double?
    var loudnessLUFS: Double?
    /// The gain in decibels that `--normalize` added.
    var normalizationGain: Double?
    var clippedFrames: Int
    var notes: Int
    /// The number of notes whose samples were all zero, for any reason. The next two count notes by reason.
    var silentNotes: Int
    /// Notes for which the SoundFont has no sound. Absent in older reports.
    var unmappedNotes: Int?
    /// Notes that got no free voice. Absent in older reports.
    var voicelessNotes: Int?
    var legatoNotes: Int
    var stolenNotes: Int
    var unreleasedNotes: Int
    var inexactOnsets: Int
    /// The greatest number at the same time; likewise for `lanes`.
    var voices: Int
    var lanes: Int
    var clippedSends: Int
    var isTailCut: Bool
    var missingPresets: [MissingPreset]
    /// Absent if the song has one port.
    var ports: [Port]?
    /// The SoundFont in the file; absent if there is none.
    package var embeddedSoundFont: Embedded?
    /// The loop that the file marks; absent if it marks none.
    package var loop: Loop?
    /// Messages without effect; absent if there are none.
    package var ignored: [Ignored]?
    var repairs: [FileRepair]
    /// The number of repairs beyond those listed.
    var unlistedRepairs: Int
    /// Absent if none were requested.
    var stems: [Stem]?
    package var warnings: [String]

    package init(input: String, output: String, _ report: SongReport, warnings: [String]) {
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
      ports = report.ports.count > 1 ? report.ports.map(Port.init) : nil
      embeddedSoundFont = report.embeddedSoundFont.map(Embedded.init)
      loop = report.loop.map(Loop.init)
      ignored = report.ignored.isEmpty ? nil : report.ignored.map(Ignored.init)
      repairs = report.repairs.map(FileRepair.init)
      unlistedRepairs = report.unlistedRepairs
      stems = report.stems?.stems.map(Stem.init)
      self.warnings = warnings
    }

    fileprivate static func decibels(_ level: Double) -> Double? {
      level > 0 ? hundredths(20 * log10(level)) : nil
    }

    private static func hundredths(_ value: Double) -> Double { (value * 100).rounded() / 100 }
  }

  /// One stem of a song.
  struct Stem: Codable, Equatable, Sendable {
    /// `wet` contains reverb and chorus, `rest` everything that belongs to no other stem.
    var name: String
    package var output: String
    /// The channel, from 0, and the index of its port; absent for other stems.
    var channel: Int?
    var port: Int?
    var frames: Int
    var bytes: Int
    var hash: String
    var peakDBFS: Double?

    package init(_ stem: StemsReport.Stem) {
      name = stem.name
      output = stem.path
      (channel, port) = (stem.channel, stem.port)
      frames = stem.audio.file.frames
      bytes = stem.audio.file.bytes
      hash = stem.audio.hash
      peakDBFS = Song.decibels(Double(stem.audio.file.peak))
    }
  }

  /// A preset that the SoundFont does not contain, and the one that played instead; `nil`: none.
  struct MissingPreset: Codable, Equatable, Sendable {
    struct Preset: Codable, Equatable, Sendable {
      var bank: Int
      var program: Int
    }
    var bank: Int
    var program: Int
    var replacement: Preset?

    package init(_ substitution: PresetSubstitution) {
      bank = substitution.bank
      program = substitution.program
      replacement = substitution.replacement.map { Preset(bank: $0.bank, program: $0.program) }
    }
  }

  /// Messages of one kind that have no effect, and the place of the first.
  package struct Ignored: Codable, Equatable, Sendable {
    var category: String
    var kind: String
    var count: Int
    var track: Int
    var seconds: Double

    package init(_ messages: IgnoredMessages) {
      (category, kind) = (messages.category.rawValue, messages.kind)
      (count, track) = (messages.count, messages.track)
      seconds = (messages.seconds * 1000).rounded() / 1000
    }

    /// A line such as `3 x CC 74, first in track 2 at 0:12.5`.
    package var text: String {
      "\(count) x \(kind), first in track \(track + 1) at \(clockText(seconds))"
    }
  }

  /// The SoundFont in the file of a song.
  package struct Embedded: Codable, Equatable, Sendable {
    package var isUsed: Bool
    var bankOffset: Int
    /// The reason why it is unusable.
    var fault: String?

    package init(_ report: EmbeddedSoundFontReport) {
      (isUsed, bankOffset, fault) = (report.isUsed, report.bankOffset, report.fault)
    }
  }

  /// A loop that a file marks, in seconds of the song when it is played once.
  package struct Loop: Codable, Equatable, Sendable {
    package var start: Double
    package var end: Double
    var convention: String
    package var count: Int

    package init(_ loop: SongReport.Loop) {
      func rounded(_ seconds: Double) -> Double { (seconds * 1000).rounded() / 1000 }
      (start, end) = (rounded(loop.start), rounded(loop.end))
      (convention, count) = (loop.convention, loop.count)
    }

    /// A line such as `loop from 0:12 to 1:40, played once`.
    package var text: String {
      "loop from \(clockText(start)) to \(clockText(end)), "
        + (count == 1 ? "played once: see --loops and --fade" : "played \(count) times")
    }
  }

  /// A port of a song, as the file names it.
  struct Port: Codable, Equatable, Sendable {
    var number: Int?
    var name: String?

    package init(_ port: Timeline.Port) {
      (number, name) = (port.number, port.name)
    }
  }

  /// A repaired fault of a MIDI file, and its place: an offset in bytes, or a track, from 0, and a tick.
  struct FileRepair: Codable, Equatable, Sendable {
    var offset: Int?
    var track: Int?
    var tick: Int64?
    var found: String
    var done: String

    package init(_ repair: Repair) {
      switch repair.place {
      case .byte(let byte): offset = byte
      case .tick(let first, let index): (tick, track) = (first, index)
      }
      found = repair.kind.found
      done = repair.kind.done
    }
  }
}
