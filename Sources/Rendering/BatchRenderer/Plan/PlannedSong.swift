import AudioFile

/// The files that a run would write for a song.
package struct PlannedSong: Encodable, Equatable, Sendable {
  package struct File: Encodable, Equatable, Sendable {
    package var path: String
    /// Whether the file exists and would be replaced.
    package var replaces: Bool
  }

  let index: Int
  let input: String
  /// The audio file, the picture, and the folder of the stems, whose path ends in a slash.
  package private(set) var files: [File] = []

  /// - Throws: If a file must not be written.
  init(_ job: RenderPlan.Job, _ work: RenderPlan.Work, _ policy: ReplacePolicy) throws {
    index = job.index
    input = job.input
    guard case .file(let path) = work.destination else {
      files = [File(path: work.outputName, replaces: false)]
      if let labels = try work.labelPath() { try add(labels, work.labelRules(policy)) }
      return
    }
    try add(path, work.rules(policy))
    if let picture = try work.picturePath() { try add(picture, work.pictureRules(policy)) }
    if let labels = try work.labelPath() { try add(labels, work.labelRules(policy)) }
    if let folder = work.stemFolder { files.append(File(path: folder + "/", replaces: false)) }
  }

  private mutating func add(_ path: String, _ rules: OutputRules) throws {
    files.append(File(path: path, replaces: try OutputFile.wouldReplace(path, rules: rules)))
  }
}
