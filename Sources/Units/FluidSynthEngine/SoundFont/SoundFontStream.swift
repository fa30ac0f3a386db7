import CFluidSynth
import Glibc
import LocalSystem

/// The stream that FluidSynth reads instead of opening a SoundFont itself: a source, with the ``SoundFontGuard``.
///
/// Realtime: no. Threads: one.
final class SoundFontStream {
  private let source: any SoundFontSource
  // FluidSynth reads tables in pieces of two bytes, 120,000 of TimGM6mb. Checks of exclusive access at run time
  // would double their time; calls do not overlap.
  @exclusivity(unchecked) private var position = 0
  @exclusivity(unchecked) private var values: SoundFontGuard

  private init(_ source: any SoundFontSource) {
    self.source = source
    values = SoundFontGuard(source)
  }

  /// Loads a font into `owner`.
  ///
  /// - Parameters:
  ///   - source: The bytes of the font.
  ///   - name: The key in FluidSynth's sample cache: the path of the file, or a unique name that no file has.
  ///   - owner: The synth that loads the font.
  /// - Returns: Whether the font was loaded.
  static func load(
    _ source: any SoundFontSource, name: String, into owner: OpaquePointer
  ) -> Bool {
    guard let loader = new_fluid_defsfloader(fluid_synth_get_settings(owner)) else { return false }
    fluid_sfloader_set_callbacks(
      loader, openStream, readStream, seekStream, tellStream, closeStream)
    fluid_synth_add_sfloader(owner, loader)
    let stream = SoundFontStream(source)
    current = Unmanaged.passUnretained(stream).toOpaque()
    defer { current = nil }
    return withExtendedLifetime(stream) {
      fluid_synth_sfload(owner, name.platformString, 0) != FLUID_FAILED
    }
  }

  /// The stream that the next call of `openStream` returns; guarded by the lock that is held while fonts are loaded.
  nonisolated(unsafe) fileprivate static var current: UnsafeMutableRawPointer?

  fileprivate func rewind() { position = 0 }

  fileprivate func read(_ bytes: UnsafeMutableRawBufferPointer) -> Bool {
    guard source.read(bytes, at: position) else { return false }
    values.check(bytes, readAt: position)
    position += bytes.count
    return true
  }

  fileprivate func seek(_ offset: Int, from origin: Int32) -> Bool {
    let base =
      switch origin {
      case SEEK_SET: 0
      case SEEK_CUR: position
      default: source.size
      }
    guard source.isReachable(base + offset) else { return false }
    position = base + offset
    return true
  }

  fileprivate var tell: Int { position }
}

private func withStream<Result>(
  _ handle: UnsafeMutableRawPointer?, _ body: (SoundFontStream) -> Result
) -> Result {
  Unmanaged<SoundFontStream>.fromOpaque(handle!)._withUnsafeGuaranteedRef(body)
}

private func openStream(_ name: UnsafePointer<CChar>?) -> UnsafeMutableRawPointer? {
  guard let current = SoundFontStream.current else { return nil }
  withStream(current) { $0.rewind() }
  return current
}

private func readStream(
  _ target: UnsafeMutableRawPointer?, count: fluid_long_long_t, _ handle: UnsafeMutableRawPointer?
) -> Int32 {
  guard let target, count >= 0 else { return FLUID_FAILED }
  let bytes = UnsafeMutableRawBufferPointer(start: target, count: Int(count))
  return withStream(handle) { $0.read(bytes) } ? FLUID_OK : FLUID_FAILED
}

private func seekStream(
  _ handle: UnsafeMutableRawPointer?, offset: fluid_long_long_t, origin: Int32
) -> Int32 {
  withStream(handle) { $0.seek(Int(offset), from: origin) } ? FLUID_OK : FLUID_FAILED
}

private func tellStream(_ handle: UnsafeMutableRawPointer?) -> fluid_long_long_t {
  fluid_long_long_t(withStream(handle) { $0.tell })
}

private func closeStream(_ handle: UnsafeMutableRawPointer?) -> Int32 { FLUID_OK }

/// Where FluidSynth's bytes of a SoundFont come from: ``SoundFontFile`` or ``SampleSource``.
///
/// Realtime: no. Threads: one.
protocol SoundFontSource: AnyObject {
  /// The size in bytes.
  var size: Int { get }

  /// Whether FluidSynth may seek to a position. It may, without reading there, beyond the end of a file.
  func isReachable(_ position: Int) -> Bool

  /// Reads bytes.
  ///
  /// - Returns: Whether all were read.
  func read(_ bytes: UnsafeMutableRawBufferPointer, at position: Int) -> Bool
}
