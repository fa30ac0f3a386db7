package import Configuration
package import LocalSystem
package import OfflineRenderer

/// The options of a run. Each value is valid by itself; ``validate(isJSON:)`` checks the combination.
package struct RenderOptions: Equatable, Sendable {
  /// Paths of songs and of folders with songs.
  package var inputs: [String] = []
  /// Whether the SoundFonts among ``inputs`` are compared: each song is rendered with each.
  package var compares = false
  /// The path of a file that lists songs; `-` is standard input.
  package var manifest: String?
  /// The path of the output file; `-` is standard output.
  package var output: String?
  /// The folder that the output files are written to.
  package var folder: String?
  /// Whether the files of songs in folders are written beside the songs.
  package var writesBesideSongs = false
  /// Whether to replace files that Portative did not write, or that were changed since.
  package var overwrites = false
  /// Whether the search in folders follows symbolic links and enters other file systems.
  package var reach = SongFinder.Reach()
  /// Whether to report what would be written, without writing it.
  package var isDryRun = false
  /// How each song is rendered, unless a manifest gives other options for it.
  package var song = SongOptions()

  /// The path of the report; `-` is standard output.
  package var report: String?
  /// The number of processors to use; `nil`: all.
  package var jobs: Int?
  /// The processor time in seconds after which a song without progress is ended.
  package var maximumStall = 300
  /// The part of the list to render; `nil`: the whole list.
  package var shard: Shard?
  /// Whether to keep songs that the report lists as rendered if their files are unchanged.
  package var resumes = false
  /// Whether to refuse songs that have warnings.
  package var isStrict = false
  /// The messages without effect for which a song is refused.
  package var refused: Set<IgnoredMessages.Category> = []
  /// Whether to measure the loudness even if there is no report. Measuring takes a little time.
  package var measuresLoudness = false

  package init() {}

  /// The SoundFonts that are compared.
  var comparedSoundFonts: [String] { compares ? inputs.filter(SoundFontFile.isNamed) : [] }

  /// The paths of ``inputs`` that are songs and folders.
  var songs: [String] { compares ? inputs.filter { !SoundFontFile.isNamed($0) } : inputs }
}

extension RenderOptions {
  package static let table = OptionTable<RenderOptions>(
    rows: places + OptionTable(SongOptions.table, at: \.song).rows + run)

  /// The options for the songs and the output paths.
  private static let places: [OptionTable<RenderOptions>.Row] = [
    .path(
      "-o", "--output", value: "FILE",
      help: "write FILE, in the format of its ending;\n- is standard output (wav)", \.output),
    .path(
      "-d", "--directory", value: "DIR",
      help: "write one file for each song into DIR, in folders as\nthose the songs were found in",
      \.folder),
    .flag(
      "--beside", help: "write the file of each song in a folder beside it",
      \.writesBesideSongs),
    .flag(
      "--overwrite",
      help: "also replace files that portative did not write, or\nthat were changed since",
      \.overwrites),
    .flag("-L", "--dereference", help: "follow symbolic links in folders", \.reach.followsLinks),
    .flag(
      "--no-one-file-system", help: "enter other file systems in folders",
      \.reach.crossesFileSystems),
    .flag(
      "--compare",
      help:
        "render each song with each of the SoundFonts among\nthe files, equally loud (--normalize -23LUFS)",
      \.compares),
    .path(
      "--manifest", value: "FILE",
      help:
        "songs with options of their own, an object on each\nline: {\"input\": \"a.mid\", \"gain\": -3}; - is standard\ninput",
      \.manifest),
  ]

  /// The options for the run and its report.
  private static let run: [OptionTable<RenderOptions>.Row] = [
    .flag(
      "-n", "--dry-run",
      help: "only show which files would be written, and which\nsongs would fail",
      \.isDryRun),
    .init(
      names: ["-j", "--jobs"], value: "N",
      help: "the number of processors to use (all); the songs\nshare them"
    ) { $0.jobs = try OptionValue.whole($1, of: "--jobs", in: 1...1024) },
    .init(
      names: ["--max-stall"], value: "SECONDS",
      help:
        "end a song on which FluidSynth uses the processor\nfor this long without progress, 1 to 86400 (300)"
    ) { $0.maximumStall = try OptionValue.whole($1, of: "--max-stall", in: 1...86_400) },
    .init(
      names: ["--shard"], value: "I/N",
      help:
        "only part I of N parts of the list, for N runs on\nany machines; --merge joins their reports"
    ) { $0.shard = try Shard($1) },
    .flag(
      "--resume",
      help:
        "keep the songs that the --report of an earlier run\nlists, if their files and settings are unchanged",
      \.resumes),
    .path(
      "--report", value: "FILE",
      help: "write the results, levels and warnings of all songs\nas JSON; - is standard output",
      \.report
    ).completing(.files(["json"])),
    .flag("--strict", help: "fail with exit code 6 instead of warning", \.isStrict),
    .init(
      names: ["--refuse"], value: "KINDS",
      help:
        "fail with exit code 6 if messages have no effect:\nsysex, controllers, meta, ports, or several of them\nwith commas"
    ) { options, text in
      for part in text.split(separator: ",", omittingEmptySubsequences: false) {
        options.refused.insert(try OptionValue.choice(String(part), of: "--refuse"))
      }
    }.completing(.words(IgnoredMessages.Category.allCases.map(\.rawValue))),
  ]
}

extension RenderOptions {
  /// Checks that no options contradict each other.
  ///
  /// - Parameter isJSON: Whether standard output receives the results as JSON.
  package func validate(isJSON: Bool = false) throws(Failure) {
    try validateComparison()
    if songs.isEmpty, manifest == nil {
      throw .usage("no song was given: portative render SONG.mid, or - for standard input")
    }
    if let empty = inputs.firstIndex(of: "") {
      throw .usage("song \(empty + 1) has an empty path")
    }
    try validateOutput()
    try validateStandardStreams(isJSON: isJSON)
    if resumes, report == nil || report == "-" {
      throw .usage("--resume needs the report of the earlier run: name it with --report FILE")
    }
    try song.validate()
  }

  private func validateComparison() throws(Failure) {
    if !compares { return }
    if comparedSoundFonts.count < 2 {
      throw .usage(
        "--compare needs two SoundFonts: portative render --compare A.sf2 B.sf2 song.mid")
    }
    let given = [
      ("--output", output != nil), ("--soundfont", song.soundFont != nil),
      ("--manifest", manifest != nil),
    ]
    for (name, isGiven) in given where isGiven {
      throw .usage("\(name) and --compare contradict each other: leave one out")
    }
  }

  private func validateOutput() throws(Failure) {
    let places = [
      output.map { _ in "--output" }, folder.map { _ in "--directory" },
      writesBesideSongs ? "--beside" : nil,
    ].compactMap(\.self)
    if places.count > 1 {
      throw .usage("\(places.joined(separator: " and ")) contradict each other: leave one out")
    }
    if case .file(let path, _) = song.labels, manifest != nil || inputs.count > 1 {
      throw .usage(
        "--labels \(path) names one file for all songs: use --labels jsonl, csv, npz or mid, which writes a "
          + "file beside the audio of each")
    }
    if case .file(let path, _) = song.image, manifest != nil || inputs.count > 1 {
      throw .usage(
        "--image \(path) names one file for all songs: use --image png or svg, which draws a picture beside the "
          + "audio of each")
    }
    guard let output else { return }
    if manifest != nil {
      throw .usage(
        "--output names one file for all songs of --manifest: use --directory DIR, or \"output\" in "
          + "its lines")
    }
    if inputs.count > 1 {
      throw .usage("--output names one file for \(inputs.count) songs: use --directory DIR")
    }
    try song.validateEnding(of: output)
  }

  private func validateStandardStreams(isJSON: Bool) throws(Failure) {
    let readers = (inputs + [manifest].compactMap(\.self)).count { $0 == "-" }
    if readers > 1 {
      throw .usage("standard input (-) can be read only once, but is named \(readers) times")
    }
    if inputs.contains("-"), output == nil {
      throw .usage("a song from standard input has no name: name its file with --output FILE")
    }
    let writers = [
      output == "-" ? "--output -" : nil, report == "-" ? "--report -" : nil,
      isJSON ? "--json" : nil,
    ].compactMap(\.self)
    if writers.count > 1 {
      throw .usage(
        "\(writers.joined(separator: " and ")) would both write to standard output: change one")
    }
  }
}
