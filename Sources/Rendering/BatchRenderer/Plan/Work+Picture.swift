import AudioFile
import FluidSynthEngine
import LocalSystem
import OfflineRenderer
import SongPicture

extension RenderPlan.Work {
  /// Returns the path of the picture; `nil` if none is requested.
  ///
  /// - Throws: ``Failure`` if it belongs beside an audio file, but the audio does not go to a file.
  func picturePath() throws(Failure) -> String? {
    switch options.image {
    case nil: return nil
    case .file(let path, _): return path
    case .beside(let format):
      guard case .file(let path) = destination, !SongPath.isDevice(path) else {
        throw .usage(
          "--image needs an audio file to write the picture beside: name it with --output FILE, or name "
            + "the picture's file")
      }
      return SongPath.withoutEnding(path) + "." + format.rawValue
    }
  }

  /// Returns the rules for the file of the picture, which the user may have named.
  func pictureRules(_ policy: ReplacePolicy) -> OutputRules {
    if case .file = options.image { return policy.rules(root: nil, isNamed: true) }
    return otherRules(policy)
  }

  /// Opens the picture file; returns `nil` if none is requested.
  ///
  /// - Parameters:
  ///   - title: The song's title; `nil`: the name of its file is used.
  ///   - input: The path of the song; `-` is standard input.
  ///   - soundFont: The SoundFont that plays the song.
  func pictureFile(
    title: String?, input: String, soundFont: SoundFont, _ policy: ReplacePolicy
  ) throws -> PictureFile? {
    guard let image = options.image, let path = try picturePath() else { return nil }
    let name = SongPath.lastPart(
      SongPath.stem(input == "-" ? SongPath.withoutEnding(outputName) : input))
    if makesFolders, case .beside = image { try SongFile.makeFolder(for: path, in: root) }
    return try PictureFile(
      path: path, format: image.format, style: options.imageStyle,
      title: title ?? name.showingBytes,
      soundFont: soundFont, named: Self.resolvedName(soundFont.path), rules: pictureRules(policy))
  }

  /// Returns the name of the file that a symbolic link, such as the system's default SoundFont, leads to.
  private static func resolvedName(_ path: String) -> String {
    SongPath.lastPart(SongPath.withoutEnding(resolvedPath(path) ?? path)).showingBytes
  }
}
