package import AudioFile
package import LocalSystem
import OfflineRenderer

/// Which song goes to which file, and how: all that can be known before a file is opened.
package struct RenderPlan {
  /// One song.
  package struct Job: Equatable, Sendable {
    /// Its place in the whole list, of all shards.
    package let index: Int
    package let input: String
    /// The folder that the song was found in; see ``ListedSong/root``.
    package var root: String?
    /// Bytes of the song: how much work it is, about.
    package let weight: Int
    package let work: Result<Work, Failure>
  }

  /// What becomes of a song.
  package struct Work: Equatable, Sendable {
    package let destination: AudioFileWriter.Destination
    package let format: AudioFormat
    package let options: SongOptions
    /// Whether folders on the way to the destination are made where they are not there.
    package var makesFolders = false
    /// The folder that all files of the song must be in; `nil`: anywhere.
    package var root: String?
    /// Whether the user named the very file with `--output`.
    package var isNamed = false

    /// Where the stems go, if they are wanted: a folder beside the song's file.
    package var stemFolder: String? {
      guard options.stems != nil, case .file(let path) = destination else { return nil }
      return SongPath.withoutEnding(path) + ".stems"
    }

    /// How messages and reports call the destination; `-` is standard output.
    package var outputName: String {
      switch destination {
      case .file(let path), .recording(let path): path
      case .descriptor: "-"
      }
    }
  }

  /// Those of this shard, in the order of the list.
  package let jobs: [Job]
  /// How many songs all shards have, and a fingerprint of the list.
  package let list: RenderReport.List
  /// What is in the folders named and is not rendered.
  package let skipped: SongList.Skipped
  /// Whether what was named may be many songs.
  package let isLibrary: Bool

  /// - Throws: When nothing can be rendered: the format cannot be as asked, or there is no song.
  package init(_ options: RenderOptions) throws(Failure) {
    if options.manifest == nil { _ = try options.song.format(of: options.output) }
    let listed = try SongList(options)
    skipped = listed.skipped
    isLibrary = listed.isOpen || listed.songs.count > 1
    let files = listed.songs.map { $0.input == "-" ? nil : FileIdentity($0.input) }
    var places = try OutputPathRegistry(reading: files.compactMap(\.self), report: options.report)
    var jobs: [Job] = []
    for (index, song) in listed.songs.enumerated() {
      let work = Result { () throws(Failure) in
        if let problem = song.problem { throw problem }
        let work = try Self.work(song, options)
        try places.take(work, for: song.input)
        return work
      }
      jobs.append(
        Job(
          index: index, input: song.input, root: song.root, weight: files[index]?.length ?? 0,
          work: work))
    }
    list = RenderReport.List(jobs, shard: options.shard)
    self.jobs = options.shard?.part(of: jobs) ?? jobs
    // Where there is only one, what is wrong with it is wrong with what was asked for.
    if !isLibrary, let failure = jobs[0].work.failure, failure.kind == .usage { throw failure }
  }

  private static func work(
    _ song: SongRequest, _ options: RenderOptions
  ) throws(Failure) -> Work {
    let output = options.output ?? song.output
    let format = try song.options.format(of: output)
    let ending = "." + format.container.rawValue
    if let folder = options.folder, let output = song.output, !SongPath.leadsDown(output) {
      throw .usage("its output '\(output)' would not be in '\(folder)': give a path within it")
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
  /// What went wrong, if anything did.
  package var failure: Failure? {
    if case .failure(let failure) = self { failure } else { nil }
  }
}
