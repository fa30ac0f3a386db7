import AudioFile
import LocalSystem
import OfflineRenderer

extension RenderPlan.Work {
  /// Returns the path of the picture, beside the audio file; `nil` if none is requested.
  ///
  /// - Throws: ``Failure`` if the audio does not go to a file.
  func picturePath() throws(Failure) -> String? {
    if !options.hasImage { return nil }
    guard case .file(let path) = destination, !SongPath.isDevice(path) else {
      throw .usage(
        "--image needs an audio file to write the picture beside: name it with --output FILE")
    }
    return SongPath.withoutEnding(path) + ".png"
  }

  /// Opens the picture file; returns `nil` if none is requested.
  ///
  /// - Parameters:
  ///   - title: The song's title; `nil`: the name of its file is used.
  ///   - input: The path of the song; `-` is standard input.
  ///   - soundFont: The path of the SoundFont that plays the song.
  func pictureFile(
    title: String?, input: String, soundFont: String, _ policy: ReplacePolicy
  ) throws -> PictureFile? {
    guard let path = try picturePath() else { return nil }
    let name = SongPath.lastPart(
      SongPath.stem(input == "-" ? SongPath.withoutEnding(outputName) : input))
    if makesFolders { try SongFile.makeFolder(for: path, in: root) }
    return try PictureFile(
      path: path, title: title ?? name.showingBytes, soundFont: Self.resolvedName(soundFont),
      rules: otherRules(policy))
  }

  /// Returns the name of the file that a symbolic link, such as the system's default SoundFont, leads to.
  private static func resolvedName(_ path: String) -> String {
    SongPath.lastPart(SongPath.withoutEnding(resolvedPath(path) ?? path)).showingBytes
  }
}
