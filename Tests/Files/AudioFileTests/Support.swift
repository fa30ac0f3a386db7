import AudioFile
import CSndFile
import Glibc

/// A file decoded by libsndfile.
struct DecodedFile {
  var information = SF_INFO()
  var samples: [Float] = []
  var software: String?

  init?(_ path: String, decode: Bool = true) {
    guard let handle = sf_open(path, CInt(SFM_READ), &information) else { return nil }
    defer { sf_close(handle) }
    software = sf_get_string(handle, CInt(SF_STR_SOFTWARE)).map { String(cString: $0) }
    guard decode else { return }
    // Read to the end instead of the stated length, because streams do not state one.
    var block = [Float](repeating: 0, count: 8192)
    while case let count = sf_readf_float(handle, &block, 4096), count > 0 {
      samples += block[..<(Int(count) * 2)]
    }
  }

  var frames: Int { Int(information.frames) }
  var container: Int { Int(information.format) & SF_FORMAT_TYPEMASK }
  var encoding: Int { Int(information.format) & SF_FORMAT_SUBMASK }
}

func fileBytes(_ path: String) -> [UInt8] {
  let descriptor = open(path, O_RDONLY)
  guard descriptor >= 0 else { return [] }
  defer { close(descriptor) }
  var bytes: [UInt8] = []
  var block = [UInt8](repeating: 0, count: 65536)
  while case let count = read(descriptor, &block, block.count), count > 0 {
    bytes += block[..<count]
  }
  return bytes
}

/// Returns two different tones, interleaved.
func tones(frames: Int, level: Float = 0.4) -> [Float] {
  (0..<frames).flatMap { frame in
    [level * sinf(Float(frame) * 0.03), level * sinf(Float(frame) * 0.05)]
  }
}

@discardableResult
func writeFile(
  _ path: String, _ format: AudioFormat, _ samples: [Float], sampleRate: Int = 48000,
  framesPerBlock: Int = 1000, seed: UInt64 = 0
) throws(AudioFileError) -> AudioFileWriter.Summary {
  var writer = try AudioFileWriter(
    to: .file(path), format: format, sampleRate: sampleRate, seed: seed)
  for start in stride(from: 0, to: samples.count, by: framesPerBlock * 2) {
    let block = Array(samples[start..<min(start + framesPerBlock * 2, samples.count)])
    try writer.write(interleaved: block.span)
  }
  return try writer.finish()
}
