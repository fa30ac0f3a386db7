import CFluidSynth
import CFluidSynthOverrides

/// A SoundFont whose samples are loaded as needed: FluidSynth reads the file's image, without the samples.
final class SampleSource: SoundFontSource {
  private let memory: SampleMemory
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
    let source = SampleSource(memory)
    defer_samples(receiveSample, Unmanaged.passUnretained(source).toOpaque())
    defer { defer_samples(nil, nil) }
    return SoundFontStream.load(source, name: name, into: owner)
      && memory.register(source.samples, of: owner)
  }

  fileprivate func add(_ sample: UnsafeMutableRawPointer) { samples.append(sample) }

  var size: Int { memory.image.size }

  func isReachable(_ position: Int) -> Bool { 0...size ~= position }

  /// Reads bytes of the image. For samples, registers `target` as their buffer instead.
  func read(_ target: UnsafeMutableRawBufferPointer, at start: Int) -> Bool {
    var rest = target[...]
    while !rest.isEmpty {
      let position = start + rest.startIndex
      guard let part = memory.image.part(at: position) else { return false }
      let offset = position - part.range.lowerBound
      switch part.content {
      case .bytes(let bytes):
        let size = min(rest.count, bytes.count - offset)
        bytes.withUnsafeBytes {
          UnsafeMutableRawBufferPointer(rebasing: rest)
            .copyMemory(from: UnsafeRawBufferPointer(rebasing: $0[offset..<offset + size]))
        }
        rest = rest.dropFirst(size)
      case .samples, .lowBytes:
        // FluidSynth may skip a trailing padding byte.
        guard rest.startIndex == 0, offset == 0, part.range.count - target.count <= 1,
          target.count <= part.range.count, let buffer = target.baseAddress
        else { return false }
        memory.setBuffer(buffer, for: part.content)
        return true
      }
    }
    return true
  }
}

@c private func receiveSample(
  _ context: UnsafeMutableRawPointer?, _ sample: UnsafeMutableRawPointer?
) {
  guard let context, let sample else { return }
  Unmanaged<SampleSource>.fromOpaque(context).takeUnretainedValue().add(sample)
}
