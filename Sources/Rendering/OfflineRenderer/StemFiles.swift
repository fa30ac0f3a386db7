import AudioFile
import FluidSynthEngine
import Glibc
import LocalSystem

/// The files of a song's stems, in the order of the player's channels, and their folder.
///
/// On deinitialization, unfinished files are removed, and the folder, too, if it was created here and is empty.
final class StemFiles {
  let settings: StemSettings
  private(set) var list: [StemFile] = []
  private var hasCreatedFolder = false
  /// The number of other files in the folder, which are not replaced.
  private(set) var otherFiles = 0

  /// Creates the folder, if it does not exist, and a file for each stem and for the remaining audio.
  ///
  /// - Parameters:
  ///   - sounds: What plays the song, for names.
  ///   - hasWetReturn: Whether there is reverb or chorus, which are not part of the stems.
  ///   - mayWriteNote: Whether the song may also write a file with a name to the folder.
  init(
    _ plan: StemPlan, _ settings: StemSettings, sampleRate: Int, sounds: PlayedSounds,
    hasWetReturn: Bool, mayWriteNote: (String) -> Bool = { _ in false }
  ) throws(AudioFileError) {
    self.settings = settings
    if mkdir(settings.folder.platformString, 0o777) == 0 {
      hasCreatedFolder = true
    } else if errno != EEXIST {
      throw .cannotCreate(path: settings.folder, code: errno)
    }
    let digits = max(2, plan.stems.map { String($0.number).count }.max() ?? 0)
    for stem in plan.stems {
      let name = stem.name(sounds)
      if stem.number == 0 {
        try open(name, name: name, sampleRate)
        continue
      }
      let port = stem.namesPort ? stem.place.map { "\($0 / 16 + 1)-" } ?? "" : ""
      try open(
        "\(port)\(String(stem.number, digits: digits)) \(name)", name: name, sampleRate,
        place: stem.place)
    }
    // Without effects, only notes without a lane leave audio outside the stems.
    try open(
      hasWetReturn ? "wet" : "rest", name: hasWetReturn ? "wet" : "rest", sampleRate,
      isOmittedIfSilent: !hasWetReturn)
    if !hasCreatedFolder { otherFiles = countOthers(except: mayWriteNote) }
  }

  private func countOthers(except mayWriteNote: (String) -> Bool) -> Int {
    let names = (try? Folder.names(in: settings.folder)) ?? []
    let own = Set(list.map { String($0.path.dropFirst(settings.folder.count + 1)) })
    return names.count { !$0.hasPrefix(".") && !own.contains($0) && !mayWriteNote($0) }
  }

  private func open(
    _ fileName: String, name: String, _ sampleRate: Int, place: Int? = nil,
    isOmittedIfSilent: Bool = false
  ) throws(AudioFileError) {
    let path = "\(settings.folder)/\(fileName).\(settings.format.container.rawValue)"
    let file = try RenderedFile(
      to: .file(path), format: settings.format, sampleRate: sampleRate,
      seed: settings.seed &+ UInt64(list.count) &+ 1, title: name, measuresLoudness: false,
      rules: settings.rules)
    list.append(
      StemFile(file, name: name, path: path, place: place, isOmittedIfSilent: isOmittedIfSilent))
  }

  func discard() {
    for file in list { file.discard() }
    if hasCreatedFolder { rmdir(settings.folder.platformString) }
  }

  deinit { discard() }
}
