package import AudioFile
package import LocalSystem
package import OfflineRenderer

extension RenderPlan.Work {
  /// What holds for the song's audio.
  package func rules(_ policy: ReplacePolicy) -> OutputRules {
    policy.rules(root: root, isNamed: isNamed)
  }

  /// What holds for its picture and its stems, which are never named by themselves.
  package func otherRules(_ policy: ReplacePolicy) -> OutputRules { policy.rules(root: root) }

  /// The stems that are wanted.
  package func stems(_ policy: ReplacePolicy) -> StemSettings? {
    guard let grouping = options.stems, let folder = stemFolder else { return nil }
    return StemSettings(
      grouping: grouping, folder: folder, format: format, rules: otherRules(policy))
  }

  /// All that is written for the song, but what streams.
  ///
  /// - Throws: Where something is to go beside a file, and there is none.
  package func paths() throws(Failure) -> [String] {
    let picture = try picturePath()
    guard case .file(let path) = destination else { return [] }
    return [path, picture, stemFolder].compactMap(\.self)
  }

  /// The files that were written for the song, as they are now.
  package func writtenFiles(of song: RenderReport.Song) throws(Failure) -> [RenderReport.File] {
    guard case .file(let path) = destination else { return [] }
    let paths = [path] + (song.stems ?? []).map(\.output) + [try picturePath()]
    return paths.compactMap { $0.flatMap(RenderReport.File.init) }
  }
}
