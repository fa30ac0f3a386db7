import CLinux
import Glibc

/// A SoundFont in memory of the process that has a path, from which FluidSynth reads it. No other process sees it, and it
/// needs no folder.
final class SoundFontMemory: Sendable {
  private let descriptor: CInt

  /// - Throws: ``InstrumentError/outOfMemory``.
  init(_ bytes: [UInt8]) throws(InstrumentError) {
    descriptor = shared_memory_create("portative-soundfont", bytes.count)
    guard descriptor >= 0 else { throw .outOfMemory }
    var rest = bytes[...]
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes { write(descriptor, $0.baseAddress, $0.count) }
      if count < 0, errno == EINTR { continue }
      guard count > 0 else {
        close(descriptor)
        throw .outOfMemory
      }
      rest = rest.dropFirst(count)
    }
  }

  deinit { close(descriptor) }

  var path: String { "/proc/self/fd/\(descriptor)" }
}
