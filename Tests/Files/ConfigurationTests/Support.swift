import TestSupport

extension TemporarySystem {
  /// Adds a file with the header of a SoundFont only.
  @discardableResult
  func addSoundFont(_ path: String) throws -> String {
    try add(path, Array("RIFF".utf8) + [4, 0, 0, 0] + Array("sfbk".utf8))
  }
}
