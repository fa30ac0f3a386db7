import CFluidSynth
import Glibc
import LocalSystem

extension FileVersion {
  /// Reads the version of a SoundFont file. Only the header of the SoundFont is checked.
  ///
  /// - Throws: ``InstrumentError/soundFontUnreadable(path:reason:)``, ``InstrumentError/notASoundFont(path:reason:)``.
  init(ofSoundFont path: String) throws(InstrumentError) {
    var status = stat()
    guard stat(path.platformString, &status) == 0, access(path.platformString, R_OK) == 0 else {
      throw .soundFontUnreadable(path: path, reason: errnoDescription(errno))
    }
    guard status.st_mode & S_IFMT == S_IFREG else {
      throw .notASoundFont(path: path, reason: "not a regular file")
    }
    guard fluid_is_soundfont(path.platformString) != 0 else {
      throw .notASoundFont(path: path, reason: "no RIFF header of type sfbk")
    }
    self.init(status)
  }
}
