import AudioFile
import Dispatch
import LocalSystem
import Synchronization

/// Writes the files of a song on a separate thread, so that encoding runs in parallel with rendering.
///
/// It holds a few blocks; ``write(_:)`` waits while all are full. Every writer must be ended with ``discard()``, also
/// after ``finish()``; until then its thread retains it and the files.
///
/// `@unchecked Sendable`: `files`, `failure` and the blocks between `readBlocks` and `submittedBlocks` belong to the
/// writing thread, everything else to the caller; the semaphores order the handover.
final class AsyncFileWriter: @unchecked Sendable {
  private var files: SongFiles?
  private var failure: AudioFileError?
  private let fileCount: Int
  /// Stores the audio until its final gain is known; `nil` without normalization.
  private let normalizer: Normalizer?
  private let blocks: [Block]
  private var submittedBlocks = 0
  private var thread: SystemThread?
  private var isDrained = false
  private let failed = Atomic<Bool>(false)
  private let free = DispatchSemaphore(value: 0)
  private let full = DispatchSemaphore(value: 0)

  /// Interleaved frames for each file; a block with 0 frames ends the thread.
  private struct Block {
    static let capacity = 4096
    let samples: UnsafeMutablePointer<Float>
    let frames = UnsafeMutablePointer<Int>.allocate(capacity: 1)

    init(files: Int) { samples = .allocate(capacity: files * 2 * Self.capacity) }

    func samples(ofFile file: Int) -> UnsafeMutablePointer<Float> {
      samples + file * 2 * Self.capacity
    }
  }

  convenience init(_ file: consuming RenderedFile) throws(SystemError) {
    try self.init(SongFiles(mix: file))
  }

  init(_ files: SongFiles, _ normalizer: Normalizer? = nil) throws(SystemError) {
    self.files = files
    self.normalizer = normalizer
    fileCount = files.count
    blocks = (0..<4).map { _ in Block(files: files.count) }
    // Not as its initial value: a semaphore must not be released with a lower value than that.
    for _ in blocks { free.signal() }
    thread = try SystemThread(name: "portative-write") { self.run() }
  }

  deinit {
    for block in blocks {
      block.samples.deallocate()
      block.frames.deallocate()
    }
  }

  /// Queues frames for writing.
  ///
  /// - Parameter channels: Left and right of each file, all of the same length; full scale is ±1.
  func write(_ channels: [UnsafeBufferPointer<Float>]) {
    precondition(channels.count == 2 * fileCount, "each file has two channels")
    var done = 0
    while done < channels[0].count {
      let count = min(channels[0].count - done, Block.capacity)
      submit(count) { block in
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

  /// Waits for a free block, fills it and queues it.
  private func submit(_ frames: Int, _ fill: (Block) -> Void) {
    free.wait()
    let block = blocks[submittedBlocks % blocks.count]
    fill(block)
    block.frames.pointee = frames
    submittedBlocks += 1
    full.signal()
  }

  /// Whether writing has failed, so that rendering can stop; ``drain()`` throws the error.
  var hasFailed: Bool { failed.load(ordering: .relaxed) }

  /// Normalizes and writes the stored audio on the calling thread. Nothing may be written afterwards.
  ///
  /// - Parameter isCancelled: Called many times per second of song.
  /// - Returns: The applied normalization; `nil` if none was requested.
  /// - Throws: The first error of a file, and ``RenderError/cancelled``.
  func normalize(isCancelled: () -> Bool) throws(RenderError) -> Normalization.Outcome? {
    stop()
    if let failure { throw .file(failure) }
    return try normalizer?.finish(isCancelled: isCancelled) { portions throws(AudioFileError) in
      try files?.write(portions[0].count / 2) { UnsafeBufferPointer(portions[$0]) }
    }
  }

  /// Waits until everything is written. Nothing may be written afterwards.
  ///
  /// - Returns: The summary of the mix.
  /// - Throws: The first error of a file.
  @discardableResult func drain() throws(AudioFileError) -> AudioFileWriter.Summary {
    stop()
    if let failure { throw failure }
    return files?.summary ?? .init()
  }

  /// The report on the stems; `nil` if there are none.
  ///
  /// - Precondition: The writer was drained.
  var stems: StemsReport? {
    precondition(isDrained, "a writer must be drained before its stems are read")
    return files?.stemsReport
  }

  /// Ends the thread, and removes the files if they were not finished.
  func discard() {
    stop()
    files?.discard()
    files = nil
  }

  /// Moves the files to their destinations.
  ///
  /// - Returns: The figures of the mix, and of the stems if there are any.
  /// - Precondition: The writer was drained, and not finished yet.
  func finish() throws(AudioFileError) -> (mix: AudioFigures, stems: StemsReport?) {
    precondition(isDrained, "a writer must be drained before it is finished")
    guard let files else { preconditionFailure("a writer can be finished only once") }
    return try files.finish()
  }

  private func stop() {
    if isDrained { return }
    isDrained = true
    submit(0) { _ in }
    thread?.join()
  }

  /// The main function of the writing thread.
  private func run() {
    var readBlocks = 0
    while true {
      full.wait()
      let block = blocks[readBlocks % blocks.count]
      readBlocks += 1
      let frames = block.frames.pointee
      if frames == 0 { return }
      if failure == nil { write(block, frames) }
      free.signal()
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
