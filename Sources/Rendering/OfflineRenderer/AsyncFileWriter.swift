import AudioFile
import Glibc
import LocalSystem
import Synchronization

/// Writes the files of a song on a thread of their own, so that encoding and rendering go on side by
/// side.
///
/// Holds a few blocks at most; ``write(_:)`` waits when they are all full. Every pipe is ended
/// with ``discard()``, after ``finish()`` too: until then its thread keeps it, and the files.
///
/// `@unchecked Sendable`: `files`, `failure` and the blocks between `taken` and `given` belong to the
/// writing thread, the rest to the caller; the semaphores order the hand-over.
final class AsyncFileWriter: @unchecked Sendable {
  private var files: SongFiles?
  private var failure: AudioFileError?
  private let fileCount: Int
  /// Where audio goes first that is not yet as loud as it is to be.
  private let normalizer: Normalizer?
  private let blocks: [Block]
  private var given = 0
  private var thread = pthread_t()
  private var isDrained = false
  private let failed = Atomic<Bool>(false)
  private let free = UnsafeMutablePointer<sem_t>.allocate(capacity: 1)
  private let full = UnsafeMutablePointer<sem_t>.allocate(capacity: 1)

  /// For each file frames, left and right side by side; none end the writing.
  private struct Block {
    static let capacity = 4096
    let samples: UnsafeMutablePointer<Float>
    let frames = UnsafeMutablePointer<Int>.allocate(capacity: 1)

    init(files: Int) { samples = .allocate(capacity: files * 2 * Self.capacity) }

    func samples(ofFile file: Int) -> UnsafeMutablePointer<Float> {
      samples + file * 2 * Self.capacity
    }
  }

  convenience init(_ file: consuming RenderedFile) throws(ThreadError) {
    try self.init(SongFiles(mix: file))
  }

  init(_ files: SongFiles, _ normalizer: Normalizer? = nil) throws(ThreadError) {
    self.files = files
    self.normalizer = normalizer
    fileCount = files.count
    blocks = (0..<4).map { _ in Block(files: files.count) }
    sem_init(free, 0, UInt32(blocks.count))
    sem_init(full, 0, 0)
    let context = Unmanaged.passUnretained(self).toOpaque()
    let code = pthread_create(&thread, nil, runPipe, context)
    if code != 0 { throw ThreadError(code: code) }
  }

  deinit {
    sem_destroy(free)
    sem_destroy(full)
    free.deallocate()
    full.deallocate()
    for block in blocks {
      block.samples.deallocate()
      block.frames.deallocate()
    }
  }

  /// Hands frames over.
  ///
  /// - Parameter channels: Left and right of each file, all of one length; full scale is ±1.
  func write(_ channels: [UnsafeBufferPointer<Float>]) {
    precondition(channels.count == 2 * fileCount, "each file gets two channels")
    var done = 0
    while done < channels[0].count {
      let count = min(channels[0].count - done, Block.capacity)
      give(count) { block in
        for file in 0..<fileCount {
          let samples = block.samples(ofFile: file)
          let (left, right) = (channels[2 * file], channels[2 * file + 1])
          for i in 0..<count {
            samples[2 * i] = left[done + i]
            samples[2 * i + 1] = right[done + i]
          }
        }
      }
      done += count
    }
  }

  /// Waits for a free block, fills it and hands it over.
  private func give(_ frames: Int, _ fill: (Block) -> Void) {
    while sem_wait(free) != 0 {}
    let block = blocks[given % blocks.count]
    fill(block)
    block.frames.pointee = frames
    given += 1
    sem_post(full)
  }

  /// Whether a file refused something, so that going on is in vain; ``drain()`` says why.
  var hasFailed: Bool { failed.load(ordering: .relaxed) }

  /// Writes what was kept to be normalized, on the calling thread; nothing may be written after it.
  ///
  /// - Parameter isCancelled: Asked many times per second of song.
  /// - Returns: What was done; `nil` where nothing was asked for.
  /// - Throws: The first refusal of a file, and ``RenderError/cancelled``.
  func normalize(isCancelled: () -> Bool) throws(RenderError) -> Normalization.Outcome? {
    stop()
    if let failure { throw .file(failure) }
    return try normalizer?.finish(isCancelled: isCancelled) { portions throws(AudioFileError) in
      try files?.write(portions[0].count / 2) { UnsafeBufferPointer(portions[$0]) }
    }
  }

  /// Waits until all is written; nothing may be written after it.
  ///
  /// - Returns: What was written to the mix.
  /// - Throws: The first refusal of a file.
  @discardableResult func drain() throws(AudioFileError) -> AudioFileWriter.Summary {
    stop()
    if let failure { throw failure }
    return files?.summary ?? .init()
  }

  /// What was written to the stems.
  ///
  /// - Precondition: The pipe was drained.
  var stems: StemsReport? {
    precondition(isDrained, "stems are looked at when the pipe is drained")
    return files?.stemsReport
  }

  /// Ends the thread, and removes the files if they were not finished.
  func discard() {
    stop()
    files?.discard()
    files = nil
  }

  /// Gives the files their names.
  ///
  /// - Returns: The figures of the mix, and of the stems if there are any.
  /// - Precondition: The pipe was drained, and not finished yet.
  func finish() throws(AudioFileError) -> (mix: AudioFigures, stems: StemsReport?) {
    precondition(isDrained, "a pipe is drained before it is finished")
    guard let files else { preconditionFailure("a pipe is finished once") }
    return try files.finish()
  }

  private func stop() {
    if isDrained { return }
    isDrained = true
    give(0) { _ in }
    pthread_join(thread, nil)
  }

  /// The writing thread.
  fileprivate func run() {
    var taken = 0
    while true {
      while sem_wait(full) != 0 {}
      let block = blocks[taken % blocks.count]
      taken += 1
      let frames = block.frames.pointee
      if frames == 0 { return }
      if failure == nil { write(block, frames) }
      sem_post(free)
    }
  }

  private func write(_ block: Block, _ frames: Int) {
    do throws(AudioFileError) {
      let samples = { file in
        UnsafeBufferPointer(start: block.samples(ofFile: file), count: 2 * frames)
      }
      if let normalizer {
        try normalizer.add(samples)
      } else {
        try files?.write(frames, samples)
      }
    } catch {
      failure = error
      failed.store(true, ordering: .relaxed)
    }
  }
}

@c private func runPipe(_ context: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
  if let context { Unmanaged<AsyncFileWriter>.fromOpaque(context).takeUnretainedValue().run() }
  return nil
}
