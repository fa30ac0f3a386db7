import CFluidSynth
import Glibc

/// A SoundFont file as FluidSynth reads it: as it does by itself, with the ``ModulatorGuard``.
///
/// Realtime: no. Threads: one.
final class SoundFontStream {
  private let file: UnsafeMutablePointer<FILE>
  // FluidSynth reads tables in pieces of two bytes, 120,000 of TimGM6mb. Checks of exclusive access at run time
  // would double their time; calls do not overlap.
  @exclusivity(unchecked) private var position = 0
  @exclusivity(unchecked) private var modulators = ModulatorGuard()

  private init?(_ path: UnsafePointer<CChar>) {
    guard let file = fopen(path, "rbe") else { return nil }
    self.file = file
  }

  deinit { fclose(file) }

  /// Makes `synth` read its SoundFonts in this way.
  ///
  /// - Returns: Whether there was enough memory.
  static func use(in synth: OpaquePointer) -> Bool {
    guard let loader = new_fluid_defsfloader(fluid_synth_get_settings(synth)) else { return false }
    fluid_sfloader_set_callbacks(loader, openFile, readFile, seekFile, tellFile, closeFile)
    fluid_synth_add_sfloader(synth, loader)
    return true
  }

  fileprivate static func open(_ path: UnsafePointer<CChar>) -> UnsafeMutableRawPointer? {
    SoundFontStream(path).map { Unmanaged.passRetained($0).toOpaque() }
  }

  fileprivate func read(_ bytes: UnsafeMutableRawBufferPointer) -> Bool {
    guard fread_unlocked(bytes.baseAddress, 1, bytes.count, file) == bytes.count
    else { return false }
    modulators.check(bytes, readAt: position)
    position += bytes.count
    return true
  }

  fileprivate func seek(_ offset: Int, from origin: Int32) -> Bool {
    guard fseeko(file, offset, origin) == 0 else { return false }
    position = ftello(file)
    return position >= 0
  }

  fileprivate var tell: Int { ftello(file) }
}

private func withStream<Result>(
  _ handle: UnsafeMutableRawPointer?, _ body: (SoundFontStream) -> Result
) -> Result {
  Unmanaged<SoundFontStream>.fromOpaque(handle!)._withUnsafeGuaranteedRef(body)
}

@c private func openFile(_ path: UnsafePointer<CChar>?) -> UnsafeMutableRawPointer? {
  path.flatMap(SoundFontStream.open)
}

@c private func readFile(
  _ target: UnsafeMutableRawPointer?, count: fluid_long_long_t, _ handle: UnsafeMutableRawPointer?
) -> Int32 {
  guard count >= 0 else { return FLUID_FAILED }
  let bytes = UnsafeMutableRawBufferPointer(start: target, count: Int(count))
  return withStream(handle) { $0.read(bytes) } ? FLUID_OK : FLUID_FAILED
}

@c private func seekFile(
  _ handle: UnsafeMutableRawPointer?, offset: fluid_long_long_t, origin: Int32
) -> Int32 {
  withStream(handle) { $0.seek(Int(offset), from: origin) } ? FLUID_OK : FLUID_FAILED
}

@c private func tellFile(_ handle: UnsafeMutableRawPointer?) -> fluid_long_long_t {
  fluid_long_long_t(withStream(handle) { $0.tell })
}

@c private func closeFile(_ handle: UnsafeMutableRawPointer?) -> Int32 {
  guard let handle else { return FLUID_FAILED }
  Unmanaged<SoundFontStream>.fromOpaque(handle).release()
  return FLUID_OK
}
