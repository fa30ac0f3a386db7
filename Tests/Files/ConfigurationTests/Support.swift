import TestSupport

extension TemporarySystem {
  /// A SoundFont as far as its header tells.
  @discardableResult
  func addSoundFont(_ path: String) throws -> String {
    try add(path, Array("RIFF".utf8) + [4, 0, 0, 0] + Array("sfbk".utf8))
  }
}
