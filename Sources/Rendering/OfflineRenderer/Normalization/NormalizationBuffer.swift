import AudioFile
import Glibc

/// Stores samples for a second pass: a few megabytes in memory, the rest in a temporary file without a name, which is
/// deleted when the program ends for any reason.
///
/// Threads: one at a time.
struct NormalizationBuffer: ~Copyable {
  /// The number of samples kept in memory.
  static let capacity = 1 << 20
  private let folder: String
  private var held: [Float] = []
  /// The lengths of the appended portions, in order.
  private var portions: [Int32] = []
  private var file: CInt = -1
  private var bytesInFile = 0

  /// - Parameter folder: The folder for a temporary file, if one is needed; otherwise `$TMPDIR` is used.
  init(folder: String) { self.folder = folder }

  deinit {
    if file >= 0 { close(file) }
  }

  /// Appends a portion of samples.
  ///
  /// - Throws: ``AudioFileError/cannotWrite(path:code:)``, and
  ///   ``AudioFileError/cannotCreate(path:code:)`` if no temporary file can be created.
  mutating func append(_ samples: UnsafeBufferPointer<Float>) throws(AudioFileError) {
    if held.count + samples.count > Self.capacity, !held.isEmpty { try moveToFile() }
    held.append(contentsOf: samples)
    portions.append(Int32(samples.count))
  }

  private mutating func moveToFile() throws(AudioFileError) {
    if file < 0 { file = try TemporaryFile.open(in: folder) }
    let code = held.withUnsafeBytes { writeAll($0, to: file, at: bytesInFile) }
    if code != 0 { throw .cannotWrite(path: folder, code: code) }
    bytesInFile += held.count * MemoryLayout<Float>.size
    held.removeAll(keepingCapacity: true)
  }

  /// Iterates over all portions.
  ///
  /// - Parameters:
  ///   - count: The number of portions passed to each call of `body`.
  ///   - body: Receives the portions, and may change them.
  mutating func replay(
    together count: Int,
    _ body: ([UnsafeMutableBufferPointer<Float>]) throws(RenderError) -> Void
  ) throws(RenderError) {
    do throws(AudioFileError) {
      if file >= 0, !held.isEmpty { try moveToFile() }
    } catch {
      throw .file(error)
    }
    let memory = UnsafeMutableBufferPointer<Float>.allocate(
      capacity: Self.capacity + Int(portions.max() ?? 0) * count)
    defer { memory.deallocate() }
    // `memory` contains the samples from `next` to `end`; `loaded` samples were read so far.
    var (next, end, loaded) = (0, 0, 0)
    var portion = 0
    while portion < portions.count {
      let lengths = portions[portion..<min(portion + count, portions.count)].map(Int.init)
      let needed = lengths.reduce(0, +)
      if end - next < needed {
        for i in 0..<end - next { memory[i] = memory[next + i] }
        (next, end) = (0, end - next)
        let more = try load(UnsafeMutableBufferPointer(rebasing: memory[end...]), from: loaded)
        loaded += more
        end += more
      }
      var pieces: [UnsafeMutableBufferPointer<Float>] = []
      for length in lengths {
        pieces.append(UnsafeMutableBufferPointer(rebasing: memory[next..<next + length]))
        next += length
      }
      try body(pieces)
      portion += count
    }
  }

  /// Fills `memory` with samples.
  ///
  /// - Returns: The number of samples read.
  private func load(
    _ memory: UnsafeMutableBufferPointer<Float>, from first: Int
  ) throws(RenderError) -> Int {
    if file < 0 {
      let count = min(memory.count, held.count - first)
      for i in 0..<count { memory[i] = held[first + i] }
      return count
    }
    let size = MemoryLayout<Float>.size
    let bytes = UnsafeMutableRawBufferPointer(memory)
    let wanted = min(bytes.count, bytesInFile - first * size)
    var done = 0
    while done < wanted {
      let count = pread(
        file, bytes.baseAddress.map { $0 + done }, wanted - done, off_t(first * size + done))
      if count > 0 {
        done += count
      } else if count == 0 || errno != EINTR {
        throw .file(.cannotWrite(path: folder, code: count == 0 ? EIO : errno))
      }
    }
    return done / size
  }
}
