import OfflineRenderer
package import Options

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
        "only part I of N parts of the list, for N runs on\nany machines; portative merge joins their reports"
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
