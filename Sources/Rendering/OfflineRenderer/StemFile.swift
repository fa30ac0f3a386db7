import AudioFile
import Glibc
import LocalSystem

/// One stem's file.
final class StemFile {
  let name: String
  let path: String
  /// Whether there is no such file when nothing was heard.
  let isLeftOutIfSilent: Bool
  var file: RenderedFile?
  /// Whether it has its name, but not for good.
  private var isNamed = false

  init(_ file: consuming RenderedFile, name: String, path: String, isLeftOutIfSilent: Bool) {
    self.file = consume file
    self.name = name
    self.path = path
    self.isLeftOutIfSilent = isLeftOutIfSilent
  }

  var summary: AudioFileWriter.Summary { file?.summary ?? .init() }

  var isLeftOut: Bool { isLeftOutIfSilent && summary.peak == 0 }

  /// Gives it its name, until it is to be kept.
  ///
  /// - Returns: `nil` where it is left out.
  func finish() throws(AudioFileError) -> AudioFigures? {
    let isLeftOut = isLeftOut
    guard let file = file.take(), !isLeftOut else { return nil }
    let figures = try file.finish()
    isNamed = true
    return figures
  }

  func keep() { isNamed = false }

  func discard() {
    file = nil
    if isNamed { unlink(path.platformString) }
    isNamed = false
  }
}
