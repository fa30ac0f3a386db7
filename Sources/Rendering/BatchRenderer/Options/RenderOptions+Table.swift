import BatchRenderer
import LocalSystem
import Options

extension RenderOptions {
  /// Reads the arguments after `render`.
  init(arguments: [String]) throws(Failure) {
    self.init()
    inputs = try Self.table.parse(arguments, into: &self)
    if !wantsHelp { try checkTogether() }
  }

  static let table = OptionTable<RenderOptions>(
    rows: places + OptionTable(SongOptions.table, at: \.song).rows + run)

  /// The options for the songs and the output paths.
  private static let places: [OptionTable<RenderOptions>.Row] = [
    .init(
      names: ["-o", "--output"], value: "FILE",
      help: "write FILE, in the format of its ending;\n- is standard output (wav)"
    ) { options, text throws(Failure) in
      if text.isEmpty { throw .usage("--output needs a file name, but it is empty") }
      options.output = text
    },
    .init(
      names: ["-d", "--directory"], value: "DIR",
      help: "write one file for each song into DIR, in folders as\nthose the songs were found in"
    ) { options, text throws(Failure) in
      if text.isEmpty { throw .usage("--directory needs a folder, but it is empty") }
      options.folder = text
    },
    .init(
      names: ["--beside"], value: nil,
      help: "write the file of each song in a folder beside it"
    ) { options, _ throws(Failure) in options.isBeside = true },
    .init(
      names: ["--overwrite"], value: nil,
      help: "also replace files that portative did not write, or\nthat were changed since"
    ) { options, _ throws(Failure) in options.overwrites = true },
    .init(
      names: ["-L", "--dereference"], value: nil,
      help: "follow symbolic links in folders"
    ) { options, _ throws(Failure) in options.reach.followsLinks = true },
    .init(
      names: ["--no-one-file-system"], value: nil,
      help: "enter other file systems in folders"
    ) { options, _ throws(Failure) in options.reach.crossesFileSystems = true },
    .init(
      names: ["--manifest"], value: "FILE",
      help:
        "songs with options of their own, an object on each\nline: {\"input\": \"a.mid\", \"gain\": -3}; - is standard\ninput"
    ) { options, text throws(Failure) in
      if text.isEmpty { throw .usage("--manifest needs a file name, but it is empty") }
      options.manifest = text
    },
  ]

  /// The options for the run and its reports.
  private static let run: [OptionTable<RenderOptions>.Row] = [
    .init(
      names: ["-n", "--dry-run"], value: nil,
      help: "only say which files would be written, and what\nwould be refused"
    ) { options, _ throws(Failure) in options.isDryRun = true },
    .init(
      names: ["-j", "--jobs"], value: "N", help: "processors to use (all); several songs share them"
    ) { options, text throws(Failure) in
      options.jobs = try OptionValue.whole(text, of: "--jobs", in: 1...1024)
    },
    .init(
      names: ["--shard"], value: "I/N",
      help:
        "only part I of N parts of the list, for N runs on\nany machines; portative merge joins their reports"
    ) { options, text throws(Failure) in options.shard = try Shard(text) },
    .init(
      names: ["--resume"], value: nil,
      help:
        "leave what the --report of the run before says is\ndone, if it is there and would come out the same"
    ) { options, _ throws(Failure) in options.resumes = true },
    .init(
      names: ["--report"], value: "FILE",
      help: "write what was rendered, measured and found odd,\nas JSON; - is standard output"
    ) { options, text throws(Failure) in
      if text.isEmpty { throw .usage("--report needs a file name, but it is empty") }
      options.report = text
    },
    .init(names: ["--strict"], value: nil, help: "fail with exit code 6 where one would be warned")
    { options, _ throws(Failure) in options.isStrict = true },
    .init(names: ["-q", "--quiet"], value: nil, help: "say nothing but errors") {
      options, _ throws(Failure) in options.isQuiet = true
    },
    .init(names: ["-v", "--verbose"], value: nil, help: "a line for each of many songs") {
      options, _ throws(Failure) in options.isVerbose = true
    },
    .init(names: ["--json"], value: nil, help: "results and errors as lines of JSON") {
      options, _ throws(Failure) in options.isJSON = true
    },
    .init(names: ["-h", "--help"], value: nil, help: "this text") {
      options, _ throws(Failure) in options.wantsHelp = true
    },
  ]
}
