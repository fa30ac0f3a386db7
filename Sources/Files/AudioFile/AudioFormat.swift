import LocalSystem

/// An audio file format: a container and a sample encoding.
///
/// Only valid combinations can be created; ``init(_:bits:)`` throws an error that names the alternatives.
public struct AudioFormat: Equatable, Sendable {
  public let container: Container
  public let encoding: Encoding

  /// Creates a format.
  ///
  /// - Parameter bits: The bits per sample; `nil` for the container's default: 16 bits, or its lossy codec.
  /// - Throws: ``AudioFormatError/bitsNotPossible(_:_:)`` if the container does not support `bits`.
  public init(_ container: Container, bits: Bits? = nil) throws(AudioFormatError) {
    if let bits, !container.bits.contains(bits) { throw .bitsNotPossible(container, bits) }
    self.container = container
    encoding =
      switch bits {
      case _ where container.isCoded: .coded
      case .b16, nil: .pcm16
      case .b24: .pcm24
      case .b32f: .float32
      }
  }

  /// A container; the raw value is its name in `--format` and its usual file name extension.
  public enum Container: String, CaseIterable, Sendable {
    /// RIFF WAVE, which becomes RF64 when it passes 4 GiB (EBU Tech 3306).
    case wav
    /// RF64, independent of the length.
    case rf64
    /// Sony Wave64.
    case w64
    case flac
    /// Vorbis in Ogg.
    case ogg
    /// Opus in Ogg.
    case opus
    case mp3
    /// AIFF, or AIFF-C for 32-bit float.
    case aiff
    /// Sun/NeXT audio.
    case au
    /// Interleaved little-endian samples without a header.
    case raw

    /// Finds the container for a file name's extension, in upper or lower case.
    ///
    /// - Throws: ``AudioFormatError/unknownExtension(_:)`` if the extension is missing or unknown.
    public init(fileName: String) throws(AudioFormatError) {
      let base = fileName.folderAndName.name
      let parts = base.split(separator: ".", omittingEmptySubsequences: false)
      let name = parts.count > 1 ? parts[parts.count - 1].lowercased() : ""
      guard let found = Self(rawValue: name) ?? Self.otherExtensions[name] else {
        throw .unknownExtension(fileName)
      }
      self = found
    }

    private static let otherExtensions: [String: Self] = [
      "wave": .wav, "oga": .ogg, "aif": .aiff, "aifc": .aiff, "snd": .au,
    ]
  }

  /// The encoding of a sample.
  public enum Encoding: Sendable {
    /// 16-bit integers, dithered.
    case pcm16
    /// 24-bit integers, rounded.
    case pcm24
    /// 32-bit float: the rendered samples, bit for bit, not clipped.
    case float32
    /// Encoded by the container's lossy codec.
    case coded
  }

  /// Bits per sample; the raw value is the name in `--bits`.
  public enum Bits: String, CaseIterable, Sendable {
    case b16 = "16"
    case b24 = "24"
    case b32f = "32f"
  }
}
