import AudioFile

/// What a run would write for a song.
struct PlannedSong: Encodable, Equatable, Sendable {
  struct File: Encodable, Equatable, Sendable {
    var path: String
    /// Whether there is a file already, which would be replaced.
    var replaces: Bool
  }

  let index: Int
  let input: String
  /// The audio, the picture, and the folder of the stems, which ends in a slash.
  private(set) var files: [File] = []

  /// - Throws: When a file must not be written.
  init(_ job: RenderPlan.Job, _ work: RenderPlan.Work, _ policy: ReplacePolicy) throws(Failure) {
    index = job.index
    input = job.input
    guard case .file(let path) = work.destination else {
      files = [File(path: work.outputName, replaces: false)]
      return
    }
    try add(path, work.rules(policy))
    if let picture = try work.picturePath() { try add(picture, work.otherRules(policy)) }
    if let folder = work.stemFolder { files.append(File(path: folder + "/", replaces: false)) }
  }

  private mutating func add(_ path: String, _ rules: OutputRules) throws(Failure) {
    do throws(AudioFileError) {
      files.append(
        File(path: path, replaces: try OutputFile.wouldReplace(path, rules: rules)))
    } catch {
      throw Failure(error)
    }
  }

  /// A line for each file: `would write out/a.wav`.
  var text: String {
    files.map {
      "would \($0.replaces ? "replace" : "write") \(Terminal.plain($0.path))\n"
    }.joined()
  }
}
