import AudioFile
import Glibc

/// Which song goes to which file, and in what format: all that can be known before a file is opened.
struct RenderPlan {
  /// One song.
  struct Job: Equatable {
    let input: String
    let destination: AudioFileWriter.Destination

    /// How messages and reports call the destination; `-` is standard output.
    var outputName: String {
      switch destination {
      case .file(let path): path
      case .descriptor: "-"
      }
    }
  }

  let format: AudioFormat
  let jobs: [Job]

  /// - Throws: When the format cannot be as asked, or two songs would go to one file, or a song's
  ///   own file would be written over.
  init(_ options: RenderOptions) throws(Failure) {
    format = try options.song.format(of: options.output)
    let ending = format.container.rawValue
    jobs = options.inputs.map { input in
      let destination: AudioFileWriter.Destination =
        switch (options.output, options.folder) {
        case ("-", _): .descriptor(1, name: "standard output")
        case (let output?, _): .file(output)
        case (nil, let folder?):
          .file(Self.joined(folder, Self.stem(Self.lastPart(input)) + "." + ending))
        case (nil, nil): .file(Self.stem(input) + "." + ending)
        }
      return Job(input: input, destination: destination)
    }
    try checkPaths(report: options.report)
  }

  private func checkPaths(report: String?) throws(Failure) {
    var inputs: [String: String] = [:]
    for job in jobs {
      if let report, job.destination == .file(report) || Self.isSameFile(report, job.input) {
        throw .usage("the report would be written over '\(report)': name another --report")
      }
      guard case .file(let path) = job.destination else { continue }
      if let other = inputs.updateValue(job.input, forKey: path) {
        throw .usage(
          "'\(other)' and '\(job.input)' would both be written to '\(path)': "
            + "render them one at a time, or rename one")
      }
      if Self.isSameFile(path, job.input) {
        throw .usage("'\(path)' would be written over itself: name another --output")
      }
    }
  }

  /// Whether both names lead to one file, however they are spelt.
  private static func isSameFile(_ first: String, _ second: String) -> Bool {
    var one = stat()
    var other = stat()
    return stat(first, &one) == 0 && stat(second, &other) == 0
      && one.st_dev == other.st_dev && one.st_ino == other.st_ino
      && one.st_mode & S_IFMT == S_IFREG
  }

  private static func joined(_ folder: String, _ name: String) -> String {
    folder.hasSuffix("/") ? folder + name : "\(folder)/\(name)"
  }

  private static func lastPart(_ path: String) -> String {
    path.split(separator: "/").last.map(String.init) ?? path
  }

  /// The path without the ending of a MIDI file; another ending is part of the name.
  private static func stem(_ path: String) -> String {
    for ending in [".mid", ".midi", ".smf", ".kar", ".rmi"]
    where path.lowercased().hasSuffix(ending) && lastPart(path).count > ending.count {
      return String(path.dropLast(ending.count))
    }
    return path
  }
}
