import AudioFile
import LocalSystem
import OfflineRenderer

extension RenderPlan.Work {
  /// Returns the rules for the audio file.
  func rules(_ policy: ReplacePolicy) -> OutputRules {
    policy.rules(root: root, isNamed: isNamed)
  }

  /// Returns the rules for the picture and the stems, which the user never names individually.
  func otherRules(_ policy: ReplacePolicy) -> OutputRules { policy.rules(root: root) }

  /// Returns the settings of the requested stems; `nil`: none are requested.
  func stems(_ policy: ReplacePolicy) -> StemSettings? {
    guard let grouping = options.stems, let folder = stemFolder else { return nil }
    return StemSettings(
      grouping: grouping, folder: folder, format: format, rules: otherRules(policy))
  }

  /// Returns the paths of the audio file, the picture, the labels and the folder of the stems; of the labels only if the
  /// audio is streamed.
  ///
  /// - Throws: ``Failure`` if a picture is requested but the audio does not go to a file.
  func paths() throws(Failure) -> [String] {
    let (picture, labels) = (try picturePath(), try labelPath())
    guard case .file(let path) = destination else {
      return labels.map { [$0] } ?? []
    }
    return [path, picture, labels, stemFolder].compactMap(\.self)
  }

  /// Returns the files that were written for the song, with their present lengths and hashes.
  func writtenFiles(of song: RenderReport.Song) throws(Failure) -> [RenderReport.File] {
    guard case .file(let path) = destination else { return [] }
    let paths = [path] + (song.stems ?? []).map(\.output) + [try picturePath(), try labelPath()]
    return paths.compactMap { $0.flatMap(RenderReport.File.init) }
  }
}
