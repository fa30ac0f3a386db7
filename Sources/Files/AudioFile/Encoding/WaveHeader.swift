/// The header of a WAVE file: plain RIFF, or RF64 if 32 bits cannot count the bytes.
///
/// We do not use libsndfile's headers for three reasons: its RF64-or-WAV files are always WAVE_FORMAT_EXTENSIBLE, which
/// simple readers reject for 16-bit stereo; its WAV is limited to 4 GiB; and it cannot write WAV to a pipe.
///
/// The header's size is constant: a JUNK chunk reserves the space for RF64's `ds64`. On a pipe, whose length is
/// unknown, the lengths are 0xFFFFFFFF, as readers expect.
///
/// Source: *Multimedia Programming Interface and Data Specifications 1.0* (RIFF WAVE), EBU Tech 3306 (RF64).
struct WaveHeader {
  let encoding: AudioFormat.Encoding
  let sampleRate: Int
  let software: String
  let title: String?

  private static let ds64Size = 28

  /// Returns the header.
  ///
  /// - Parameters:
  ///   - dataBytes: The bytes of samples; `nil` for a stream of unknown length.
  ///   - alwaysRF64: Whether to write RF64 even if 32 bits suffice.
  func bytes(dataBytes: Int?, alwaysRF64: Bool = false) -> [UInt8] {
    let information = informationChunk
    let format = formatChunk
    let isFloat = encoding == .float32
    let headerSize =
      12 + 8 + Self.ds64Size + format.count + (isFloat ? 12 : 0) + information.count + 8
    // Stereo has an even number of bytes in every encoding, so no padding follows.
    let riffSize = dataBytes.map { headerSize - 8 + $0 }
    let isRF64 = alwaysRF64 || (riffSize.map { $0 >= UInt32.max } ?? false)
    let frames = dataBytes.map { $0 / bytesPerFrame }
    let counted = isRF64 ? nil : dataBytes

    var bytes: [UInt8] = []
    bytes.append(isRF64 ? "RF64" : "RIFF", size: isRF64 ? nil : riffSize)
    bytes.append(contentsOf: "WAVE".utf8)
    bytes.append(isRF64 ? "ds64" : "JUNK", size: Self.ds64Size)
    if isRF64, let riffSize, let dataBytes, let frames {
      for value in [riffSize, dataBytes, frames] { bytes.append(UInt64(value)) }
      bytes.append(UInt32(0))
    } else {
      bytes.append(contentsOf: repeatElement(0, count: Self.ds64Size))
    }
    bytes.append(contentsOf: format)
    if isFloat {
      bytes.append("fact", size: 4)
      bytes.append(counted.flatMap { _ in frames }.map(UInt32.init) ?? .max)
    }
    bytes.append(contentsOf: information)
    bytes.append("data", size: counted)
    return bytes
  }

  var bytesPerFrame: Int {
    switch encoding {
    case .pcm16: 4
    case .pcm24: 6
    case .float32, .coded: 8
    }
  }

  private var formatChunk: [UInt8] {
    let isFloat = encoding == .float32
    var bytes: [UInt8] = []
    // Non-integer formats contain the size of the (empty) extension.
    bytes.append("fmt ", size: isFloat ? 18 : 16)
    bytes.append(UInt16(isFloat ? 3 : 1))
    bytes.append(UInt16(2))
    bytes.append(UInt32(sampleRate))
    bytes.append(UInt32(sampleRate * bytesPerFrame))
    bytes.append(UInt16(bytesPerFrame))
    bytes.append(UInt16(bytesPerFrame * 4))
    if isFloat { bytes.append(UInt16(0)) }
    return bytes
  }

  private var informationChunk: [UInt8] {
    var fields: [UInt8] = []
    for (name, text) in [("INAM", title), ("ISFT", software)] {
      guard let text else { continue }
      let content = Array(text.utf8) + [0]
      fields.append(name, size: content.count)
      fields.append(contentsOf: content)
      if content.count % 2 == 1 { fields.append(UInt8(0)) }
    }
    var bytes: [UInt8] = []
    bytes.append("LIST", size: 4 + fields.count)
    bytes.append(contentsOf: "INFO".utf8)
    return bytes + fields
  }
}

extension [UInt8] {
  fileprivate mutating func append<Value: FixedWidthInteger>(_ value: Value) {
    Swift.withUnsafeBytes(of: value.littleEndian) { append(contentsOf: $0) }
  }

  /// Appends a chunk's name and size; an unknown size is 0xFFFFFFFF.
  fileprivate mutating func append(_ name: String, size: Int?) {
    append(contentsOf: name.utf8)
    append(size.map { UInt32(clamping: $0) } ?? .max)
  }
}
