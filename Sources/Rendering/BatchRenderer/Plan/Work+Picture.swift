import AudioFile
package import LocalSystem
package import OfflineRenderer

extension RenderPlan.Work {
  /// Where the picture of the song goes, beside its audio; `nil` where none is asked for.
  ///
  /// - Throws: Where there is no file to go beside.
  package func picturePath() throws(Failure) -> String? {
    if !options.hasImage { return nil }
    guard case .file(let path) = destination, !SongPath.isDevice(path) else {
      throw .usage("--image draws beside a file, and there is none: name one with --output FILE")
    }
    return SongPath.withoutEnding(path) + ".png"
  }

  /// Opens the picture, where one is asked for.
  ///
  /// - Parameters:
  ///   - title: The song's; without one it is called as its file is.
  ///   - soundFont: The path of what plays it.
  package func pictureFile(
    title: String?, input: String, soundFont: String, _ policy: ReplacePolicy
  ) throws(Failure) -> PictureFile? {
    guard let path = try picturePath() else { return nil }
    let name = SongPath.lastPart(
      SongPath.stem(input == "-" ? SongPath.withoutEnding(outputName) : input))
    do throws(AudioFileError) {
      if makesFolders { try SongFile.makeFolder(for: path, in: root) }
      return try PictureFile(
        path: path, title: title ?? name.showingBytes, soundFont: Self.resolvedName(soundFont),
        rules: otherRules(policy))
    } catch {
      throw Failure(error)
    }
  }

  /// The name of the file that a link leads to, such as the system's default.
  private static func resolvedName(_ path: String) -> String {
    SongPath.lastPart(SongPath.withoutEnding(resolvedPath(path) ?? path)).showingBytes
  }
}
