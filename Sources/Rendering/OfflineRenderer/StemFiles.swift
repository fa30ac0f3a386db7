import AudioFile
import FluidSynthEngine
import Glibc
import LocalSystem

/// The files of a song's stems, in the order of the player's channels, and the folder that they are in.
///
/// What was not finished goes with it, and the folder, too, if it was made here and is empty.
final class StemFiles {
  let settings: StemSettings
  private(set) var list: [StemFile] = []
  private var hasMadeFolder = false
  /// How many files are in the folder already that will not be written over.
  private(set) var otherFiles = 0

  /// Makes the folder unless it is there, and a file for each stem and for the rest.
  ///
  /// - Parameters:
  ///   - presets: What the SoundFont has, for names.
  ///   - hasWetReturn: Whether there will be reverb or chorus, which are not in the stems.
  init(
    _ plan: StemPlan, _ settings: StemSettings, sampleRate: Int, presets: [SoundFontPreset],
    hasWetReturn: Bool
  ) throws(AudioFileError) {
    self.settings = settings
    if mkdir(settings.folder.platformString, 0o777) == 0 {
      hasMadeFolder = true
    } else if errno != EEXIST {
      throw .cannotCreate(path: settings.folder, code: errno)
    }
    let digits = max(2, plan.stems.map { String($0.number).count }.max() ?? 0)
    for stem in plan.stems {
      let number = String(stem.number)
      let name = stem.name(presets)
      try open(
        String(repeating: "0", count: digits - number.count) + "\(number) \(name)", name: name,
        sampleRate)
    }
    // Without effects there is a rest only where notes find no lane.
    try open(
      hasWetReturn ? "wet" : "rest", name: hasWetReturn ? "wet" : "rest", sampleRate,
      isLeftOutIfSilent: !hasWetReturn)
    if !hasMadeFolder { otherFiles = countOthers() }
  }

  private func countOthers() -> Int {
    let names = (try? Folder.names(in: settings.folder)) ?? []
    let own = Set(list.map { String($0.path.dropFirst(settings.folder.count + 1)) })
    return names.count { !$0.hasPrefix(".") && !own.contains($0) }
  }

  private func open(
    _ fileName: String, name: String, _ sampleRate: Int, isLeftOutIfSilent: Bool = false
  ) throws(AudioFileError) {
    let path = "\(settings.folder)/\(fileName).\(settings.format.container.rawValue)"
    let file = try RenderedFile(
      to: .file(path), format: settings.format, sampleRate: sampleRate,
      seed: settings.seed &+ UInt64(list.count) &+ 1, title: name, measuresLoudness: false,
      rules: settings.rules)
    list.append(StemFile(file, name: name, path: path, isLeftOutIfSilent: isLeftOutIfSilent))
  }

  func discard() {
    for file in list { file.discard() }
    if hasMadeFolder { rmdir(settings.folder.platformString) }
  }

  deinit { discard() }
}
