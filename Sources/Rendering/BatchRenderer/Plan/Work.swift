import AudioFile
import FluidSynthEngine
import LocalSystem
import OfflineRenderer

extension RenderPlan.Work {
  /// Returns the rules for the audio file.
  func rules(_ policy: ReplacePolicy) -> OutputRules {
    policy.rules(root: root, isNamed: isNamed)
  }

  /// Returns the rules for the picture and the stems, which the user never names individually.
  private func otherRules(_ policy: ReplacePolicy) -> OutputRules { policy.rules(root: root) }

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
  ///   - sounds: What plays the song, and its name.
  func pictureFile(
    title: String?, input: String, _ sounds: (PlayedSounds, name: String), _ policy: ReplacePolicy
  ) throws -> PictureFile? {
    guard let image = options.image, let path = try picturePath() else { return nil }
    let name = SongPath.lastPart(
      SongPath.stem(input == "-" ? SongPath.withoutEnding(outputName) : input))
    if makesFolders, case .beside = image { try SongFile.makeFolder(for: path, in: root) }
    return try PictureFile(
      path: path, format: image.format, style: options.imageStyle,
      title: title ?? name.showingBytes, sounds: sounds.0, named: sounds.name,
      rules: pictureRules(policy))
  }
}

extension SongOptions {
  /// Returns what plays a song, and its name: of the SoundFont, of other instruments, or of several.
  ///
  /// - Parameter soundFonts: Those that play, by their names.
  func sounds(
    _ soundFonts: [String?: SoundFont], _ nodes: (any NodeRendering)?
  ) -> (PlayedSounds, name: String) {
    let names = instruments.map { choice in
      switch choice {
      case .soundFont(let name):
        soundFonts[name ?? soundFont].map { Self.resolvedName($0.path) } ?? ""
      case .port(let name): nodes?.title(ofPort: name) ?? name
      }
    }
    let own = usesSoundFont ? soundFonts[soundFont] : nil
    let sounds = PlayedSounds(
      presets: (try? own?.presets()) ?? [], instruments: names
    ) { [self] channel, port in
      let index = instrument(ofChannel: channel, port: port)
      return instruments[index] == .soundFont(nil) ? nil : index
    }
    var unique: [String] = []
    for name in names where !unique.contains(name) { unique.append(name) }
    return (sounds, unique.joined(separator: ", "))
  }

  /// Returns the name of the file that a symbolic link, such as the system's default SoundFont, leads to.
  private static func resolvedName(_ path: String) -> String {
    SongPath.lastPart(SongPath.withoutEnding(resolvedPath(path) ?? path)).showingBytes
  }
}
