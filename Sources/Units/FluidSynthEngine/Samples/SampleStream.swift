import CFluidSynth
import CFluidSynthOverrides
import Glibc

/// The stream that FluidSynth reads instead of a SoundFont file: the file's image, without the samples.
///
/// Realtime: no. Threads: one.
final class SampleStream {
  private let memory: SampleMemory
  // As in SoundFontStream.
  @exclusivity(unchecked) private var position = 0
  @exclusivity(unchecked) private var modulators = ModulatorGuard()
  private var samples: [UnsafeMutableRawPointer] = []

  private init(_ memory: SampleMemory) { self.memory = memory }

  /// Loads a font into `owner`, without its samples.
  ///
  /// - Parameters:
  ///   - memory: The samples of the font.
  ///   - name: A unique name for FluidSynth's sample cache; must not be the name of a file.
  ///   - owner: The synth that loads the font.
  /// - Returns: Whether the font was loaded.
  static func load(_ memory: SampleMemory, name: String, into owner: OpaquePointer) -> Bool {
    let stream = SampleStream(memory)
    let context = Unmanaged.passUnretained(stream).toOpaque()
    guard let loader = new_fluid_defsfloader(fluid_synth_get_settings(owner)) else { return false }
    fluid_sfloader_set_callbacks(
      loader, openStream, readStream, seekStream, tellStream, closeStream)
    fluid_synth_add_sfloader(owner, loader)
    current = context
    defer_samples(receiveSample, context)
    defer {
      defer_samples(nil, nil)
      current = nil
    }
    return withExtendedLifetime(stream) {
      fluid_synth_sfload(owner, name, 0) != FLUID_FAILED
        && memory.register(stream.samples, of: owner)
    }
  }

  /// The stream that the next call of `openStream` returns; guarded by the lock that is held while fonts are loaded.
  nonisolated(unsafe) fileprivate static var current: UnsafeMutableRawPointer?

  fileprivate func add(_ sample: UnsafeMutableRawPointer) { samples.append(sample) }

  fileprivate func rewind() { position = 0 }

  /// Reads `count` bytes of the image at the current position. For samples, registers `target` as their buffer instead.
  ///
  /// - Returns: Whether the image has these bytes.
  fileprivate func read(_ target: UnsafeMutableRawPointer, count: Int) -> Bool {
    var done = 0
    while done < count {
      guard let part = memory.image.part(at: position) else { return false }
      let offset = position - part.range.lowerBound
      switch part.content {
      case .bytes(let bytes):
        let size = min(count - done, bytes.count - offset)
        let copied = UnsafeMutableRawBufferPointer(start: target + done, count: size)
        bytes.withUnsafeBytes {
          copied.copyMemory(from: UnsafeRawBufferPointer(rebasing: $0[offset..<offset + size]))
        }
        modulators.check(copied, readAt: position)
        done += size
        position += size
      case .samples, .lowBytes:
        // FluidSynth may skip a trailing padding byte.
        guard done == 0, offset == 0, part.range.count - count <= 1, count <= part.range.count
        else { return false }
        memory.setBuffer(target, for: part.content)
        done = count
        position += count
      }
    }
    return true
  }

  fileprivate func seek(_ offset: Int, from origin: Int32) -> Bool {
    let base =
      switch origin {
      case SEEK_SET: 0
      case SEEK_CUR: position
      default: memory.image.size
      }
    guard 0...memory.image.size ~= base + offset else { return false }
    position = base + offset
    return true
  }

  fileprivate var tell: Int { position }
}

private func stream(_ handle: UnsafeMutableRawPointer?) -> SampleStream {
  Unmanaged.fromOpaque(handle!).takeUnretainedValue()
}

@c private func openStream(_ name: UnsafePointer<CChar>?) -> UnsafeMutableRawPointer? {
  guard let current = SampleStream.current else { return nil }
  stream(current).rewind()
  return current
}

@c private func readStream(
  _ target: UnsafeMutableRawPointer?, count: fluid_long_long_t, _ handle: UnsafeMutableRawPointer?
) -> Int32 {
  guard let target, count >= 0 else { return FLUID_FAILED }
  return stream(handle).read(target, count: Int(count)) ? FLUID_OK : FLUID_FAILED
}

@c private func seekStream(
  _ handle: UnsafeMutableRawPointer?, offset: fluid_long_long_t, origin: Int32
) -> Int32 {
  stream(handle).seek(Int(offset), from: origin) ? FLUID_OK : FLUID_FAILED
}

@c private func tellStream(_ handle: UnsafeMutableRawPointer?) -> fluid_long_long_t {
  fluid_long_long_t(stream(handle).tell)
}

@c private func closeStream(_ handle: UnsafeMutableRawPointer?) -> Int32 { FLUID_OK }

@c private func receiveSample(
  _ context: UnsafeMutableRawPointer?, _ sample: UnsafeMutableRawPointer?
) {
  if let sample { stream(context).add(sample) }
}
