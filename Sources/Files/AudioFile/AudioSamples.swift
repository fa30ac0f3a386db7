import CSndFile
import LocalSystem

/// The samples of an audio file, in memory: WAV, FLAC, Ogg and all that libsndfile reads.
///
/// Realtime: no, except ``samples``. Threads: any.
///
/// `@unchecked Sendable`: the samples are not changed.
package final class AudioSamples: @unchecked Sendable {
  /// Frames per second.
  package let sampleRate: Int
  /// Left and right alternate. A file with one channel has it on both sides.
  package let samples: UnsafeBufferPointer<Float>
  /// The number of frames.
  package var frames: Int { samples.count / 2 }

  /// The reason why a file is not audio that can be played. Its description is a clause.
  package struct Failure: Error, Equatable, Sendable, CustomStringConvertible {
    package let description: String
  }

  /// - Parameters:
  ///   - bytes: The bytes of the file.
  ///   - longest: The greatest length in seconds.
  /// - Throws: ``Failure`` if the bytes are no audio, or if there is too much of it.
  package init(decoding bytes: [UInt8], longest: Double) throws(Failure) {
    let decoded = bytes.withUnsafeBytes { bytes -> Result<(Int, Samples), Failure> in
      do throws(Failure) {
        return .success(try Self.decode(bytes, longest))
      } catch {
        return .failure(error)
      }
    }
    let (rate, samples) = try decoded.get()
    sampleRate = rate
    self.samples = UnsafeBufferPointer(start: samples.memory, count: samples.count)
  }

  /// Makes audio of samples in memory, which it deallocates.
  init(sampleRate: Int, adopting samples: UnsafeBufferPointer<Float>) {
    (self.sampleRate, self.samples) = (sampleRate, samples)
  }

  /// Makes silence.
  package init(sampleRate: Int) {
    self.sampleRate = sampleRate
    samples = UnsafeBufferPointer(start: nil, count: 0)
  }

  deinit { samples.baseAddress.map { UnsafeMutablePointer(mutating: $0).deallocate() } }

  /// Memory that grows.
  private struct Samples {
    var memory: UnsafeMutablePointer<Float>
    var count = 0
    private var capacity: Int

    init(capacity: Int) {
      self.capacity = capacity
      memory = .allocate(capacity: capacity)
    }

    mutating func append(_ block: [Float], frames: Int, channels: Int) {
      if count + 2 * frames > capacity {
        let larger = UnsafeMutablePointer<Float>.allocate(capacity: 2 * capacity + 2 * frames)
        larger.update(from: memory, count: count)
        memory.deallocate()
        (memory, capacity) = (larger, 2 * capacity + 2 * frames)
      }
      for frame in 0..<frames {
        for side in 0..<2 {
          let sample = block[frame * channels + min(side, channels - 1)]
          memory[count + side] = sample.isFinite ? sample : 0
        }
        count += 2
      }
    }
  }

  private static func decode(
    _ bytes: UnsafeRawBufferPointer, _ longest: Double
  ) throws(Failure) -> (Int, Samples) {
    var memory = FileInMemory(bytes: bytes)
    var io = SF_VIRTUAL_IO(
      get_filelen: fileLength, seek: seekFile, read: readFile, write: writeFile, tell: tellFile)
    var info = SF_INFO()
    // Both must stay where they are until the file is closed.
    return try withUnsafeMutablePointer(to: &memory) { memory throws(Failure) in
      guard let file = sf_open_virtual(&io, CInt(SFM_READ), &info, memory) else {
        throw Failure(description: "it is no audio file that can be read: \(message(nil))")
      }
      defer { sf_close(file) }
      return (Int(info.samplerate), try read(file, info, longest))
    }
  }

  private static func read(
    _ file: OpaquePointer, _ info: SF_INFO, _ longest: Double
  ) throws(Failure) -> Samples {
    let (rate, channels) = (Int(info.samplerate), Int(info.channels))
    guard 1...2 ~= channels else {
      throw Failure(description: "audio must have 1 or 2 channels, but it has \(channels)")
    }
    let limit = Int(longest * Double(rate))
    let tooLong = Failure(
      description: "audio can be \(Int(longest)) s long, but it is longer: divide it")
    guard info.frames <= limit else { throw tooLong }
    var samples = Samples(capacity: 2 * max(8192, Int(info.frames)))
    var block = [Float](repeating: 0, count: 8192 * channels)
    while true {
      let count = Int(sf_readf_float(file, &block, 8192))
      if count <= 0 { break }
      samples.append(block, frames: count, channels: channels)
      // The length in a header need not be true.
      if samples.count > 2 * limit { break }
    }
    if samples.count <= 2 * limit, sf_error(file) == 0 { return samples }
    samples.memory.deallocate()
    throw samples.count > 2 * limit
      ? tooLong : Failure(description: "it is damaged: \(message(file))")
  }

  private static func message(_ file: OpaquePointer?) -> String {
    sf_strerror(file).map { String(cString: $0) } ?? "unknown error"
  }
}

/// A file in memory, with its position.
private struct FileInMemory {
  let bytes: UnsafeRawBufferPointer
  var position = 0
}

private func withFile<Result>(
  _ user: UnsafeMutableRawPointer?, _ body: (inout FileInMemory) -> Result
) -> Result {
  guard let user else { fatalError("libsndfile passes the pointer that it was given") }
  return body(&user.assumingMemoryBound(to: FileInMemory.self).pointee)
}

private func fileLength(_ user: UnsafeMutableRawPointer?) -> sf_count_t {
  withFile(user) { sf_count_t($0.bytes.count) }
}

private func seekFile(
  _ offset: sf_count_t, _ whence: CInt, _ user: UnsafeMutableRawPointer?
) -> sf_count_t {
  withFile(user) { file in
    let base = whence == SF_SEEK_SET ? 0 : whence == SF_SEEK_CUR ? file.position : file.bytes.count
    let position = base + Int(offset)
    guard 0...file.bytes.count ~= position else { return -1 }
    file.position = position
    return sf_count_t(position)
  }
}

private func readFile(
  _ target: UnsafeMutableRawPointer?, _ count: sf_count_t, _ user: UnsafeMutableRawPointer?
) -> sf_count_t {
  withFile(user) { file in
    let count = min(Int(count), file.bytes.count - file.position)
    guard count > 0, let target, let base = file.bytes.baseAddress else { return 0 }
    target.copyMemory(from: base + file.position, byteCount: count)
    file.position += count
    return sf_count_t(count)
  }
}

private func writeFile(
  _ source: UnsafeRawPointer?, _ count: sf_count_t, _ user: UnsafeMutableRawPointer?
) -> sf_count_t { 0 }

private func tellFile(_ user: UnsafeMutableRawPointer?) -> sf_count_t {
  withFile(user) { sf_count_t($0.position) }
}
