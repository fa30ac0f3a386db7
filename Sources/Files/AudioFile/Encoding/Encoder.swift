import CSndFile

/// Encodes stereo with libsndfile and writes it to an ``OutputFile``.
///
/// All bytes pass through our callbacks. This gives us the `errno` of a failed write (libsndfile does not report most
/// of them), lets us set Ogg's serial number, and allows writing to a pipe.
final class Encoder {
  private let output: OutputFile
  private var ogg: OggSerial?
  private var handle: OpaquePointer?

  init(
    _ format: AudioFormat, sampleRate: Int, output: OutputFile, seed: UInt64, title: String?
  ) throws(AudioFileError) {
    self.output = output
    if format.container == .ogg || format.container == .opus {
      ogg = OggSerial(serial: UInt32(truncatingIfNeeded: seed ^ seed >> 32))
    }
    var information = SF_INFO()
    information.samplerate = CInt(sampleRate)
    information.channels = 2
    information.format = Self.code(format)
    var callbacks = SF_VIRTUAL_IO(
      get_filelen: encoderLength, seek: encoderSeek, read: encoderRead, write: encoderWrite,
      tell: encoderTell)
    handle = sf_open_virtual(
      &callbacks, CInt(SFM_WRITE), &information, Unmanaged.passUnretained(self).toOpaque())
    guard let handle else {
      throw output.error
        ?? .encoder(path: output.path, message: String(cString: sf_strerror(nil)))
    }
    // The PEAK chunk contains the time of day; without it, the same audio gives the same bytes.
    sf_command(handle, CInt(SFC_SET_ADD_PEAK_CHUNK), nil, CInt(SF_FALSE))
    sf_set_string(handle, CInt(SF_STR_SOFTWARE), AudioFileWriter.software)
    if let title { sf_set_string(handle, CInt(SF_STR_TITLE), title) }
    setQuality(format.container)
  }

  /// Sets Vorbis quality 6, Opus 160 kb/s and MP3 variable bit rate V2: about 190, 160 and 190 kb/s, which listening
  /// tests find transparent; FLAC level 5, its default.
  private func setQuality(_ container: AudioFormat.Container) {
    func set(_ command: Int, _ value: Double) {
      var value = value
      sf_command(handle, CInt(command), &value, CInt(MemoryLayout<Double>.size))
    }
    switch container {
    case .ogg:
      set(SFC_SET_VBR_ENCODING_QUALITY, 0.6)
    case .opus:
      // libsndfile maps 0…1 to 256…6 kb/s for each channel.
      set(SFC_SET_COMPRESSION_LEVEL, (256 - 80) / 250.0)
    case .mp3:
      var mode = CInt(SF_BITRATE_MODE_VARIABLE)
      sf_command(
        handle, CInt(SFC_SET_BITRATE_MODE), &mode, CInt(MemoryLayout<CInt>.size))
      set(SFC_SET_COMPRESSION_LEVEL, 0.2)
    case .flac:
      set(SFC_SET_COMPRESSION_LEVEL, 5.0 / 8)
      // Otherwise an empty song would give an empty file instead of a FLAC file.
      sf_command(handle, CInt(SFC_UPDATE_HEADER_NOW), nil, 0)
    default:
      break
    }
  }

  /// Writes the first `count` interleaved samples.
  func write(_ samples: [Float], count: Int) throws(AudioFileError) {
    try check(sf_write_float(handle, samples, sf_count_t(count)), count)
  }

  func write(_ samples: [Int16], count: Int) throws(AudioFileError) {
    try check(sf_write_short(handle, samples, sf_count_t(count)), count)
  }

  func write(_ samples: [Int32], count: Int) throws(AudioFileError) {
    try check(sf_write_int(handle, samples, sf_count_t(count)), count)
  }

  private func check(_ written: sf_count_t, _ count: Int) throws(AudioFileError) {
    if let error = output.error { throw error }
    if written != count {
      throw .encoder(path: output.path, message: String(cString: sf_strerror(handle)))
    }
  }

  /// Writes a header for the samples so far, where libsndfile writes headers.
  func updateHeader() throws(AudioFileError) {
    sf_command(handle, CInt(SFC_UPDATE_HEADER_NOW), nil, 0)
    if let error = output.error { throw error }
  }

  /// Encodes the remaining samples and completes the header.
  func close() throws(AudioFileError) {
    let code = sf_close(handle)
    handle = nil
    if let error = output.error { throw error }
    if code != 0 {
      throw .encoder(path: output.path, message: String(cString: sf_error_number(code)))
    }
  }

  deinit {
    if handle != nil { sf_close(handle) }
  }

  private static func code(_ format: AudioFormat) -> CInt {
    let container: Int =
      switch format.container {
      // We write the header of WAV and RF64 ourselves; libsndfile only writes the samples.
      case .wav, .rf64, .raw: SF_FORMAT_RAW | SF_ENDIAN_LITTLE
      case .w64: SF_FORMAT_W64
      case .flac: SF_FORMAT_FLAC
      case .ogg: SF_FORMAT_OGG | SF_FORMAT_VORBIS
      case .opus: SF_FORMAT_OGG | SF_FORMAT_OPUS
      case .mp3: SF_FORMAT_MPEG | SF_FORMAT_MPEG_LAYER_III
      case .aiff: SF_FORMAT_AIFF
      case .au: SF_FORMAT_AU
      }
    let encoding: Int =
      switch format.encoding {
      case .pcm16: SF_FORMAT_PCM_16
      case .pcm24: SF_FORMAT_PCM_24
      case .float32: SF_FORMAT_FLOAT
      case .coded: 0
      }
    return CInt(container | encoding)
  }

  fileprivate static func at(_ context: UnsafeMutableRawPointer?) -> Encoder? {
    context.map { Unmanaged<Encoder>.fromOpaque($0).takeUnretainedValue() }
  }

  fileprivate func writeBytes(_ bytes: UnsafeRawBufferPointer) -> Bool {
    ogg?.renumber(bytes, to: output.write) ?? output.write(bytes)
  }

  fileprivate var length: Int { output.length }
  fileprivate var position: Int {
    get { output.position }
    set { output.position = newValue }
  }
}

// libsndfile's five calls (`SF_VIRTUAL_IO`); `context` is the Encoder, which outlives the handle.

private func encoderLength(_ context: UnsafeMutableRawPointer?) -> sf_count_t {
  sf_count_t(Encoder.at(context)?.length ?? 0)
}

private func encoderSeek(
  _ offset: sf_count_t, _ whence: CInt, _ context: UnsafeMutableRawPointer?
) -> sf_count_t {
  guard let encoder = Encoder.at(context) else { return -1 }
  let origin =
    switch whence {
    case CInt(SF_SEEK_CUR): encoder.position
    case CInt(SF_SEEK_END): encoder.length
    default: 0
    }
  encoder.position = origin + Int(offset)
  return sf_count_t(encoder.position)
}

private func encoderRead(
  _: UnsafeMutableRawPointer?, _: sf_count_t, _: UnsafeMutableRawPointer?
) -> sf_count_t { 0 }

private func encoderWrite(
  _ bytes: UnsafeRawPointer?, _ count: sf_count_t, _ context: UnsafeMutableRawPointer?
) -> sf_count_t {
  let isWritten = Encoder.at(context)?.writeBytes(
    UnsafeRawBufferPointer(start: bytes, count: Int(count)))
  return isWritten == true ? count : 0
}

private func encoderTell(_ context: UnsafeMutableRawPointer?) -> sf_count_t {
  sf_count_t(Encoder.at(context)?.position ?? 0)
}
