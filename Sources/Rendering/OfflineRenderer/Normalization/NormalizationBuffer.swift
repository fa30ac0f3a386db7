import AudioFile
import Glibc

/// Samples that are kept to be gone through once more: a few megabytes in memory, the rest in a temporary
/// file that has no name, and is gone when the program is, whatever becomes of it.
///
/// Threads: one at a time.
struct NormalizationBuffer: ~Copyable {
  /// Samples that are kept in memory.
  static let room = 1 << 20
  private let folder: String
  private var held: [Float] = []
  /// The lengths of the portions, in their order.
  private var portions: [Int32] = []
  private var file: CInt = -1
  private var bytesInFile = 0

  /// - Parameter folder: Where the file may be made, if there has to be one; else it is in `$TMPDIR`.
  init(folder: String) { self.folder = folder }

  deinit {
    if file >= 0 { close(file) }
  }

  /// - Throws: ``AudioFileError/cannotWrite(path:code:)``, and
  ///   ``AudioFileError/cannotCreate(path:code:)`` where there is no place for a file.
  mutating func append(_ samples: UnsafeBufferPointer<Float>) throws(AudioFileError) {
    if held.count + samples.count > Self.room, !held.isEmpty { try moveToFile() }
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

  /// Goes through all portions.
  ///
  /// - Parameters:
  ///   - count: How many portions are handed over at a time.
  ///   - body: Gets them; they may be changed.
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
      capacity: Self.room + Int(portions.max() ?? 0) * count)
    defer { memory.deallocate() }
    // Samples from `next` to `end` are there, and those before `loaded` were.
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

  /// - Returns: How many samples were there to fill `memory` with.
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
