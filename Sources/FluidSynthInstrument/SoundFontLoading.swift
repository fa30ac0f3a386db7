import CFluidSynth
import Glibc

/// Loads a SoundFont into `synth`, which then owns it. Realtime: no.
///
/// A second load of the same file shares the samples with the first, for FluidSynth caches them;
/// only the presets are read again.
///
/// - Throws: ``InstrumentError/soundFontUnreadable(path:reason:)``,
///   ``InstrumentError/notASoundFont(path:reason:)``.
func loadSoundFont(_ path: String, into synth: OpaquePointer) throws(InstrumentError) {
  var status = stat()
  guard stat(path, &status) == 0, access(path, R_OK) == 0 else {
    throw .soundFontUnreadable(path: path, reason: String(cString: strerror(errno)))
  }
  guard status.st_mode & S_IFMT == S_IFREG else {
    throw .notASoundFont(path: path, reason: "not a regular file")
  }
  guard fluid_is_soundfont(path) != 0 else {
    throw .notASoundFont(path: path, reason: "no RIFF header of type sfbk")
  }
  quietLibrary()
  guard fluid_synth_sfload(synth, path, 1) != FLUID_FAILED else {
    throw .notASoundFont(path: path, reason: "FluidSynth cannot load it: damaged or truncated")
  }
}

/// Keeps the library's log off stderr: what matters in it reaches the user as an error or in the
/// report.
private func quietLibrary() {
  for level in [FLUID_PANIC, FLUID_ERR, FLUID_WARN, FLUID_INFO, FLUID_DBG] {
    fluid_set_log_function(Int32(level.rawValue), nil, nil)
  }
}
