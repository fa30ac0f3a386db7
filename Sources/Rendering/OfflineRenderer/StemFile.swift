import AudioFile
import Glibc
import LocalSystem

/// The file of a stem.
final class StemFile {
  let name: String
  let path: String
  /// The channel that the stem is, counted through all ports.
  private let place: Int?
  /// Whether the file is omitted if it is silent.
  let isOmittedIfSilent: Bool
  var file: RenderedFile?
  /// Whether the file is at its destination, but may still be removed.
  private var isNamed = false

  init(
    _ file: consuming RenderedFile, name: String, path: String, place: Int? = nil,
    isOmittedIfSilent: Bool
  ) {
    self.file = consume file
    self.name = name
    self.path = path
    self.place = place
    self.isOmittedIfSilent = isOmittedIfSilent
  }

  var summary: AudioFileWriter.Summary { file?.summary ?? .init() }

  /// The entry of the report.
  func entry(_ audio: AudioFigures) -> StemsReport.Stem {
    .init(
      name: name, path: path, channel: place.map { $0 % 16 }, port: place.map { $0 / 16 },
      audio: audio)
  }

  var isOmitted: Bool { isOmittedIfSilent && summary.peak == 0 }

  /// Moves the file to its destination, provisionally until ``commit()``.
  ///
  /// - Returns: `nil` if the file is omitted.
  func finish() throws(AudioFileError) -> AudioFigures? {
    let isOmitted = isOmitted
    guard let file = file.take(), !isOmitted else { return nil }
    let figures = try file.finish()
    isNamed = true
    return figures
  }

  func commit() { isNamed = false }

  func discard() {
    file = nil
    if isNamed { unlink(path.platformString) }
    isNamed = false
  }
}
