package import AudioFile
package import LocalSystem
import OfflineRenderer

/// The output file and the options of each song of a run. It is made before any song is opened.
package struct RenderPlan {
  /// One song.
  package struct Job: Equatable, Sendable {
    /// The song's index in the whole list, including all shards.
    package let index: Int
    package let input: String
    /// The folder in which the song was found; see ``SongRequest/root``.
    var root: String?
    /// The length of the song's file in bytes, as an estimate of the work.
    package let weight: Int
    package let work: Result<Work, Failure>
  }

  /// How a song is rendered, and to where.
  package struct Work: Equatable, Sendable {
    let destination: AudioFileWriter.Destination
    package let format: AudioFormat
    package let options: SongOptions
    /// Whether to create missing folders on the destination's path.
    var makesFolders = false
    /// The folder that must contain all files of the song; `nil`: any folder.
    var root: String?
    /// Whether the user named this file with `--output`.
    var isNamed = false

    /// The folder for the stems, beside the song's file; `nil` if none are requested.
    var stemFolder: String? {
      guard options.stems != nil, case .file(let path) = destination else { return nil }
      return SongPath.withoutEnding(path) + ".stems"
    }

    /// The name of the destination in messages and reports; `-` is standard output.
    package var outputName: String {
      switch destination {
      case .file(let path), .recording(let path): path
      case .descriptor: "-"
      }
    }
  }

  /// The jobs of this shard, in the order of the list.
  package let jobs: [Job]
  /// The number of songs in all shards, and a hash of the list.
  package let list: RenderReport.List
  /// Entries of the named folders that are not rendered.
  package let skipped: SongList.Skipped
  /// Whether the run may have several songs: several were named, or a folder or a manifest.
  package let isLibrary: Bool

  /// - Throws: ``Failure`` if nothing can be rendered: the format and its options do not go together, there is no song,
  ///   or the options are invalid for the only song.
  package init(_ options: RenderOptions) throws(Failure) {
    if options.manifest == nil { _ = try options.song.format(of: options.output) }
    let listed = try SongList(options)
    skipped = listed.skipped
    isLibrary = listed.isOpen || listed.songs.count > 1
    let files = listed.songs.map { $0.input == "-" ? nil : FileIdentity($0.input) }
    var outputs = try OutputPathRegistry(reading: files.compactMap(\.self), report: options.report)
    var jobs: [Job] = []
    for (index, song) in listed.songs.enumerated() {
      let work = Result { () throws(Failure) in
        if let problem = song.problem { throw problem }
        let work = try Self.work(song, options)
        try outputs.reserve(work, for: song.input)
        return work
      }
      jobs.append(
        Job(
          index: index, input: song.input, root: song.root, weight: files[index]?.length ?? 0,
          work: work))
    }
    list = RenderReport.List(jobs, shard: options.shard)
    self.jobs = options.shard?.part(of: jobs) ?? jobs
    // Invalid options for a single song are an error of the command line, not of that song.
    if !isLibrary, let failure = jobs[0].work.failure, failure.kind == .usage { throw failure }
  }

  private static func work(
    _ song: SongRequest, _ options: RenderOptions
  ) throws(Failure) -> Work {
    let output = options.output ?? song.output
    let format = try song.options.format(of: output)
    let ending = "." + format.container.rawValue
    if let folder = options.folder, let output = song.output, !SongPath.isContained(output) {
      throw .usage(
        "its output '\(output)' would not be in '\(folder)': use a relative path without '..'")
    }
    let destination: AudioFileWriter.Destination =
      switch (output, options.folder) {
      case ("-", _): .descriptor(1, name: "standard output")
      case (let output?, let folder?): .file(SongPath.joined(folder, output))
      case (let output?, nil): .file(output)
      case (nil, let folder?): .file(SongPath.joined(folder, SongPath.stem(song.name) + ending))
      case (nil, nil): .file(SongPath.stem(song.input) + ending)
      }
    return Work(
      destination: destination, format: format, options: song.options,
      makesFolders: options.folder != nil || song.output != nil,
      root: options.folder ?? (song.output == nil ? song.root : nil),
      isNamed: options.output != nil)
  }
}

extension Result {
  /// The error, if it is a failure.
  var failure: Failure? {
    if case .failure(let failure) = self { failure } else { nil }
  }
}

/// The output paths of a run's songs.
///
/// It ensures that no song overwrites another song's output, a file that the run reads, or the report.
struct OutputPathRegistry {
  /// The song that has reserved each path.
  private var owners: [[CChar]: String] = [:]
  private let sources: Set<FileIdentity>
  private let report: [CChar]?

  /// - Parameters:
  ///   - sources: The files that the run reads. All but regular files are ignored.
  ///   - report: The path of the report.
  /// - Throws: ``Failure`` if the report would overwrite a source.
  init(reading sources: some Sequence<FileIdentity>, report: String?) throws(Failure) {
    self.sources = Set(sources.lazy.filter(\.isRegular))
    self.report = report.map(SongPath.normalized)
    if let report, let existing = FileIdentity(report), self.sources.contains(existing) {
      throw .usage("the report would overwrite the song '\(report)': name another --report")
    }
  }

  /// Reserves the paths that a song's output needs.
  ///
  /// - Parameter input: The path of the song.
  /// - Throws: ``Failure`` if another song has reserved one of them before, or if one belongs to the report or a
  ///   source.
  fileprivate mutating func reserve(_ work: RenderPlan.Work, for input: String) throws(Failure) {
    for path in try work.paths() { try reserve(path, for: input) }
  }

  fileprivate mutating func reserve(_ path: String, for input: String) throws(Failure) {
    let normalized = SongPath.normalized(path)
    if normalized == report {
      throw .usage("the report would overwrite the output '\(path)': name another --report")
    }
    if let owner = owners[normalized], FileIdentity(path)?.isDevice != true {
      throw .usage(
        "'\(path)' would be the output of both '\(owner)' and '\(input)': "
          + "render them one at a time, or rename one")
    }
    if let existing = FileIdentity(path), sources.contains(existing) {
      throw .usage("the output '\(path)' would overwrite a song of this run: name another output")
    }
    owners[normalized] = input
  }
}
