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

extension AudioFormat.Container {
  /// Whether the container uses a lossy codec, so that the bits per sample cannot be chosen.
  public var isCoded: Bool { self == .ogg || self == .opus || self == .mp3 }

  /// The supported bits per sample; empty for lossy codecs.
  public var bits: [AudioFormat.Bits] {
    switch self {
    case .wav, .rf64, .w64, .aiff, .au, .raw: [.b16, .b24, .b32f]
    case .flac: [.b16, .b24]
    case .ogg, .opus, .mp3: []
    }
  }

  /// The supported sample rates, ascending, in frames per second; `nil` if there is no such list.
  ///
  /// Source: RFC 6716, 2, for Opus; ISO/IEC 11172-3 and 13818-3, and LAME for MPEG 2.5.
  public var sampleRates: [Int]? {
    switch self {
    case .opus: [8000, 12000, 16000, 24000, 48000]
    case .mp3: [8000, 11025, 12000, 16000, 22050, 24000, 32000, 44100, 48000]
    default: nil
    }
  }

  /// Whether the container can be written to a pipe, where the header cannot be completed at the end.
  public var canStream: Bool {
    switch self {
    case .wav, .flac, .ogg, .opus, .mp3, .raw: true
    case .rf64, .w64, .aiff, .au: false
    }
  }

  /// The most bytes of samples that the container's 32-bit lengths can count; `nil` if unlimited.
  var maximumDataBytes: Int? {
    switch self {
    case .aiff, .au: Int(UInt32.max) - 65536
    default: nil
    }
  }
}

extension AudioFormat {
  /// Checks that the format supports a sample rate.
  ///
  /// - Parameter sampleRate: Frames per second.
  /// - Throws: ``AudioFormatError/rateNotPossible(_:_:nearest:)``.
  public func check(sampleRate: Int) throws(AudioFormatError) {
    if let rates = container.sampleRates, !rates.contains(sampleRate) {
      // The next higher rate keeps the whole spectrum. Above the highest rate, only the highest is left.
      let nearest = rates.first { $0 > sampleRate } ?? rates[rates.count - 1]
      throw .rateNotPossible(container, sampleRate, nearest: nearest)
    }
    // libFLAC only writes the streamable subset: 16 bits for hertz, or for tens of hertz (RFC 9639, 7).
    if container == .flac, sampleRate > 65535, sampleRate % 10 != 0 {
      throw .rateNotPossible(container, sampleRate, nearest: (sampleRate / 10 + 1) * 10)
    }
  }
}

/// The reason why a requested format is invalid; reported before anything is written.
public enum AudioFormatError: Error, Equatable, Sendable, CustomStringConvertible {
  case unknownExtension(String)
  case bitsNotPossible(AudioFormat.Container, AudioFormat.Bits)
  case rateNotPossible(AudioFormat.Container, Int, nearest: Int)
  case cannotStream(AudioFormat.Container)

  public var description: String {
    switch self {
    case .unknownExtension(let name):
      let known = AudioFormat.Container.allCases.map(\.rawValue).joined(separator: ", ")
      return "'\(name)' does not end in a known file type (\(known)): use one"
    case .bitsNotPossible(let container, let bits) where container.isCoded:
      return
        "\(container.rawValue) has no bits per sample, but --bits \(bits.rawValue) was given: "
        + "leave it out, or write wav or flac"
    case .bitsNotPossible(let container, let bits):
      let possible = container.bits.map(\.rawValue).joined(separator: " or ")
      return
        "\(container.rawValue) supports \(possible) bits, but --bits \(bits.rawValue) was given: "
        + "use one of those, or write wav"
    case .rateNotPossible(let container, let rate, let nearest):
      let allowed = container.sampleRates.map { " (only \(list($0)))" } ?? ""
      return "\(container.rawValue) does not support \(rate) frames per second\(allowed): "
        + "use --rate \(nearest), or write wav"
    case .cannotStream(let container):
      let possible = AudioFormat.Container.allCases.filter(\.canStream).map(\.rawValue)
      return "\(container.rawValue) cannot be written to a pipe, because its header is completed "
        + "at the end: use one of \(possible.joined(separator: ", ")), or write a file"
    }
  }

  private func list(_ rates: [Int]) -> String {
    rates.map(String.init).joined(separator: ", ")
  }
}
