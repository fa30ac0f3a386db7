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
