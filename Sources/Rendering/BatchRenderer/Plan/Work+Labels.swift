import AudioFile
import LocalSystem
import OfflineRenderer

extension RenderPlan.Work {
  /// Returns the path of the labels; `nil` if none are requested.
  ///
  /// - Throws: ``Failure`` if they belong beside an audio file, but the audio does not go to a file.
  func labelPath() throws(Failure) -> String? {
    switch options.labels {
    case nil: return nil
    case .file(let path, _): return path
    case .beside(let format):
      guard case .file(let path) = destination, !SongPath.isDevice(path) else {
        throw .usage(
          "--labels \(format.rawValue) needs an audio file to write the labels beside: name it with "
            + "--output FILE, or name the labels' file")
      }
      return SongPath.withoutEnding(path) + "." + format.besideEnding
    }
  }

  /// Returns the rules for the file of the labels, which the user may have named.
  func labelRules(_ policy: ReplacePolicy) -> OutputRules {
    if case .file = options.labels { return policy.rules(root: nil, isNamed: true) }
    return otherRules(policy)
  }

  /// Opens the file of the labels; returns `nil` if none are requested.
  func labelFile(_ policy: ReplacePolicy) throws -> LabelFile? {
    guard let labels = options.labels, let path = try labelPath() else { return nil }
    if makesFolders, case .beside = labels { try SongFile.makeFolder(for: path, in: root) }
    return try LabelFile(
      path: path, format: labels.format, hasMessages: options.labelsMessages,
      rules: labelRules(policy))
  }
}
