import AudioFile
package import Configuration
import ContentHash
import FluidSynthEngine
package import FoundationEssentials
import Glibc
package import LocalSystem
import MIDIFile
package import OfflineRenderer

/// The head of the file that `--report` writes; the songs follow it, see ``ReportFile``.
///
/// A report does not depend on the time of day, the speed of the machine or the number of jobs: the same songs,
/// SoundFont and options yield the same report, byte for byte.
package struct RenderReport: Codable, Equatable {
  private static let schemaIdentifier = "portative/report/1"

  var schema: String? = Self.schemaIdentifier
  /// The version of Portative that wrote the report.
  var portative = portativeVersion
  /// Absent in reports of versions that did not write this field.
  var library: Library? = .loaded
  var list: List?
  /// The SoundFont of the run's options; songs may have others.
  var soundFont: SoundFont?
  var settings: Settings
  /// Files in the named folders that do not have the ending of a song.
  var otherFiles: [String]?
  /// Symbolic links in the named folders that were not followed.
  var skippedLinks: [String]?
  /// Folders below the named ones that are on other file systems and were not entered.
  var skippedMounts: [String]?

  init(settings: Settings) { self.settings = settings }

  package struct SoundFont: Codable, Equatable, Sendable {
    var path: String
    /// A description of how it was found.
    var origin: String
    /// The hash of the file's bytes.
    var hash: String?

    package init(_ found: FoundSoundFont, hash: String? = nil) {
      path = found.path
      origin = found.origin.description
      self.hash = hash
    }
  }

  package struct SongError: Codable, Equatable, Sendable {
    /// The path of the song; absent if the error does not belong to one.
    var input: String?
    /// The song's index in the list, from 0.
    var index: Int?
    var exitCode: Int32
    var message: String

    package init(input: String?, index: Int? = nil, _ failure: Failure) {
      self.input = input
      self.index = index
      exitCode = failure.kind.rawValue
      message = failure.message
    }
  }

  /// Returns a line of a journal: `{"song": …}` or `{"error": …}`.
  static func line(_ song: Song) -> String { encode(["song": song], []) + "\n" }
  static func line(_ error: SongError) -> String { encode(["error": error], []) + "\n" }

  package static func encode(
    _ value: some Encodable, _ formatting: JSONEncoder.OutputFormatting
  ) -> String {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes, formatting]
    // Encoding cannot fail, since every number is finite and every key is a string.
    guard let data = try? encoder.encode(value) else { return "{}" }
    // Reports are shown on terminals, too.
    return String(decoding: data, as: UTF8.self).printableJSON
  }
}

extension RenderReport {
  /// A written file, with its length and hash, by which a later change is detected.
  struct File: Codable, Equatable, Sendable {
    var path: String
    var bytes: Int
    /// The hash of all its bytes.
    var hash: String

    /// - Returns: `nil` if the path is not a regular file or cannot be read.
    init?(_ path: String) {
      guard let identity = FileIdentity(path), identity.isRegular,
        let hash = try? InputFile.hash(path)
      else { return nil }
      self.path = path
      bytes = identity.length
      self.hash = hash
    }

    var isUnchanged: Bool { FileIdentity(path)?.length == bytes && File(path) == self }
  }
}

extension RenderReport {
  /// The FluidSynth library that rendered the songs. Another one may yield other samples.
  package struct Library: Codable, Equatable, Sendable {
    package var name = "FluidSynth"
    package var version: String
    /// The measured properties of the library.
    package var traits: [String]

    package static let loaded = Library(
      version: FluidSynthLibrary.version, traits: FluidSynthLibrary.traits)

    /// The part of a recipe that identifies the library.
    var recipe: String { ([version] + traits).joined(separator: "; ") }

    /// A line for the user.
    package var summary: String { "\(name) \(version) (\(traits.joined(separator: "; ")))" }
  }
}

extension RenderReport {
  /// The list of songs of a run, by which the reports of its parts are recognized.
  package struct List: Codable, Equatable, Sendable {
    /// The number of songs in all parts.
    var songs: Int
    /// A hash of the paths and lengths of all songs, which determine the parts, and of the paths of their output files,
    /// in the order of the list.
    var hash: String
    var shard: Part?

    struct Part: Codable, Equatable, Sendable {
      /// The number of the part, 1...`count`.
      var number: Int
      var count: Int
    }

    /// - Parameters:
    ///   - jobs: The jobs of all parts.
    ///   - shard: The part that the run renders; `nil`: all.
    init(_ jobs: [RenderPlan.Job], shard: Shard?) {
      songs = jobs.count
      self.shard = shard.map { Part(number: $0.number, count: $0.count) }
      var hash = ContentHash()
      for job in jobs {
        hash.add("\(job.input)\n\(job.weight)\n\((try? job.work.get().outputName) ?? "")\n")
      }
      self.hash = hash.text
    }
  }
}

extension RenderReport {
  struct Settings: Codable, Equatable {
    var format: String
    /// The sample format: pcm16, pcm24, float32, or coded for a lossy codec.
    var encoding: String
    /// Frames per second.
    var sampleRate: Int
    /// Decibels.
    var gain: Double
    /// The level that `--normalize` requests; at most one of the two is present.
    var normalizeDBTP: Double?
    var normalizeLUFS: Double?
    var timing: String
    /// Absent for the default.
    var polyphony: Int?
    var reverb: Bool
    /// Absent for the library's default.
    var reverbEngine: String?
    var chorus: Bool
    /// `false` if a SoundFont in the file of a song is not used; otherwise absent.
    var embedded: Bool?
    /// Absent for `auto`.
    var bankStyle: String?
    /// What plays the channels that `instruments` does not name; absent for the SoundFont.
    var instrument: String?
    /// What plays other channels, by their numbers, as `1,2:10`; absent without any.
    var instruments: [String: String]?
    /// The values of `--effect`; absent without any.
    var effects: [String]?
    var align: Bool?
    /// The hashes of the libraries of LV2 plugins by their URIs, and of their files by the paths; absent without any.
    var plugins: [String: String]?
    /// Parameters of the instrument by identifier; absent without any.
    var parameters: [String: Float]?
    /// The value of `--tail`, or `seconds`.
    var tail: String
    var tailSeconds: Double?
    /// Seconds, like the next two.
    var maximumTail: Double
    var from: Double
    var to: Double?
    /// What replaces `from` and `to`, as `bar12:1`.
    var fromBar: String?
    var toBar: String?
    /// Seconds; absent if the effects have heard all of the song.
    var lead: Double?
    var fadeIn: Double?
    var fadeOut: Double?
    /// What is played differently from the file; absent: as it is.
    var transpose: Int?
    /// A factor, or quarter notes per minute.
    var tempo: Double?
    var beatsPerMinute: Double?
    var only: [String]?
    var mute: [String]?
    var program: [String]?
    var pan: [String]?
    /// `soft`, `hard`, a factor, or `=` with a velocity.
    var velocity: String?
    /// How notes are varied at random; absent if they are not.
    var drop: Double?
    /// Seconds.
    var jitter: Double?
    var seed: UInt64?
    /// The number of loops, if it is not 1, and the length of a fade in seconds.
    var loops: Int?
    var fade: Double?
    /// Absent if no picture is drawn.
    var image: Bool?
    /// Absent for PNG.
    var imageFormat: String?
    /// Absent for dark.
    var imageStyle: String?
    var stems: String?
    /// The format of the labels, and whether they include messages other than notes. Absent without labels.
    var labels: String?
    var labelMessages: Bool?

    /// - Parameter nodes: Identifies the plugins.
    init(_ options: SongOptions, format: AudioFormat, nodes: (any NodeRendering)? = nil) {
      if options.usesNodes, let identities = nodes?.identities(of: options), !identities.isEmpty {
        plugins = identities
      }
      self.format = format.container.rawValue
      encoding =
        switch format.encoding {
        case .pcm16: "pcm16"
        case .pcm24: "pcm24"
        case .float32: "float32"
        case .coded: "coded"
        }
      sampleRate = options.sampleRate
      gain = options.gain
      switch options.normalization {
      case .truePeak(let level): normalizeDBTP = level
      case .loudness(let level): normalizeLUFS = level
      case nil: break
      }
      timing = options.timing.rawValue
      polyphony = options.polyphony
      reverb = options.reverb
      reverbEngine = options.reverbEngine
      chorus = options.chorus
      loops = options.loops == 1 ? nil : options.loops
      fade = options.fade
      embedded = options.ignoresEmbeddedSoundFont ? false : nil
      bankStyle = options.bankStyle == .auto ? nil : options.bankStyle.rawValue
      instrument = options.instrument == .soundFont(nil) ? nil : options.instrument.description
      if !options.channelInstruments.isEmpty {
        instruments = Dictionary(
          options.channelInstruments.map { ($0.channelText, $0.choice.description) },
          uniquingKeysWith: { first, _ in first })
      }
      effects = options.effects.isEmpty ? nil : options.effects
      align = options.alignsPlugins ? true : nil
      parameters = options.parameters.isEmpty ? nil : options.parameters
      (tail, tailSeconds) =
        switch options.tail {
        case .exact: ("exact", nil)
        case .silence: ("silence", nil)
        case .bar: ("bar", nil)
        case .seconds(let seconds): ("seconds", seconds)
        }
      maximumTail = options.settings.maximumTail
      (from, fromBar) = options.start.parts
      (to, toBar) = options.end?.parts ?? (nil, nil)
      lead = options.lead
      fadeIn = options.fadeIn == 0 ? nil : options.fadeIn
      fadeOut = options.fadeOut == 0 ? nil : options.fadeOut
      set(options.changes)
      if let picture = options.image {
        image = true
        if picture.format != .png { imageFormat = picture.format.rawValue }
        if options.imageStyle != .dark { imageStyle = options.imageStyle.rawValue }
      }
      stems = options.stems?.rawValue
      labels = options.labels?.format.rawValue
      labelMessages = options.labelsMessages ? true : nil
    }

    private mutating func set(_ changes: SongChanges) {
      if changes.transposition != 0 { transpose = changes.transposition }
      switch changes.tempo {
      case .speed(.asWritten): break
      case .speed(let speed): tempo = speed.factor
      case .beatsPerMinute(let number): beatsPerMinute = number
      }
      if !changes.only.isEmpty { only = changes.only.map(\.description) }
      if !changes.muted.isEmpty { mute = changes.muted.map(\.description) }
      if !changes.programs.isEmpty { program = changes.programs.map(\.description) }
      if !changes.pans.isEmpty { pan = changes.pans.map(\.description) }
      if changes.variation.drop > 0 { drop = changes.variation.drop }
      if changes.variation.jitter > 0 { jitter = changes.variation.jitter }
      if !changes.variation.isNothing { seed = changes.variation.seed }
      velocity =
        switch changes.velocity {
        case .linear: nil
        case .soft: "soft"
        case .hard: "hard"
        case .factor(let factor): OptionValue.brief(factor)
        case .fixed(let velocity): "=\(velocity)"
        }
    }
  }

  /// Returns a hash of everything except the song that determines the bytes of the output files: the settings, the
  /// SoundFont, the library and the version of Portative. Equal recipes and equal songs yield equal files.
  static func recipe(
    _ settings: Settings, soundFontHash: String, library: Library = .loaded
  ) -> String {
    ContentHash.of(
      [portativeVersion, library.recipe, soundFontHash, encode(settings, [])]
        .joined(separator: "\n"))
  }
}

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
    /// The SoundFonts of other channels; absent without any.
    var otherSoundFonts: [SoundFont]?
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
      seconds = messages.seconds.inWholeMilliseconds
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
      (start, end) = (loop.start.inWholeMilliseconds, loop.end.inWholeMilliseconds)
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

extension Double {
  /// Seconds that have been rounded to a millisecond.
  fileprivate var inWholeMilliseconds: Double { (self * 1000).rounded() / 1000 }
}

extension RenderSettings.Position {
  /// The seconds, or the name of the bar.
  fileprivate var parts: (Double, String?) {
    switch self {
    case .seconds(let seconds): (seconds, nil)
    case .bar: (0, description)
    }
  }
}
