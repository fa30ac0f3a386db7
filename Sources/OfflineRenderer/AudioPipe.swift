import AudioFile
import Glibc
import Synchronization

/// Writes a file on a thread of its own, so that encoding and rendering go on side by side.
///
/// Holds a few blocks at most; ``write(left:right:)`` waits when they are all full.
///
/// `@unchecked Sendable`: `file`, `failure` and the blocks between `taken` and `given` belong to the
/// writing thread, the rest to the caller; the semaphores order the hand-over.
final class AudioPipe: @unchecked Sendable {
  private var file: RenderedFile?
  private var failure: AudioFileError?
  private let blocks: [Block]
  private var given = 0
  private var thread = pthread_t()
  private var isDrained = false
  private let failed = Atomic<Bool>(false)
  private let free = UnsafeMutablePointer<sem_t>.allocate(capacity: 1)
  private let full = UnsafeMutablePointer<sem_t>.allocate(capacity: 1)

  /// Frames, left and right side by side; none end the writing.
  private struct Block {
    static let capacity = 4096
    let samples = UnsafeMutablePointer<Float>.allocate(capacity: 2 * capacity)
    let frames = UnsafeMutablePointer<Int>.allocate(capacity: 1)
  }

  init(_ file: consuming RenderedFile) {
    self.file = consume file
    blocks = (0..<4).map { _ in Block() }
    sem_init(free, 0, UInt32(blocks.count))
    sem_init(full, 0, 0)
    let context = Unmanaged.passUnretained(self).toOpaque()
    precondition(pthread_create(&thread, nil, runPipe, context) == 0, "no thread to be had")
  }

  deinit {
    stop()
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
  /// - Parameters:
  ///   - left: Samples of the left channel; full scale is ±1.
  ///   - right: As many of the right channel.
  func write(left: Span<Float>, right: Span<Float>) {
    var done = 0
    while done < left.count {
      let count = min(left.count - done, Block.capacity)
      give(count) { samples in
        for i in 0..<count {
          samples[2 * i] = left[done + i]
          samples[2 * i + 1] = right[done + i]
        }
      }
      done += count
    }
  }

  /// Waits for a free block, fills it and hands it over.
  private func give(_ frames: Int, _ fill: (UnsafeMutablePointer<Float>) -> Void) {
    while sem_wait(free) != 0 {}
    let block = blocks[given % blocks.count]
    fill(block.samples)
    block.frames.pointee = frames
    given += 1
    sem_post(full)
  }

  /// Whether the file refused something, so that going on is in vain; ``drain()`` says why.
  var hasFailed: Bool { failed.load(ordering: .relaxed) }

  /// Waits until all is written; nothing may be written after it.
  ///
  /// - Returns: What was written.
  /// - Throws: The first refusal of the file.
  func drain() throws(AudioFileError) -> AudioFileWriter.Summary {
    stop()
    if let failure { throw failure }
    return file?.summary ?? .init()
  }

  /// Removes the file.
  func discard() {
    stop()
    file = nil
  }

  /// Gives the file its name.
  ///
  /// - Precondition: The pipe was drained, and not finished yet.
  func finish() throws(AudioFileError) -> AudioFigures {
    precondition(isDrained, "a pipe is drained before it is finished")
    guard let file = file.take() else { preconditionFailure("a pipe is finished once") }
    return try file.finish()
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
      if failure == nil { write(UnsafeBufferPointer(start: block.samples, count: 2 * frames)) }
      sem_post(free)
    }
  }

  private func write(_ samples: UnsafeBufferPointer<Float>) {
    do throws(AudioFileError) {
      try file?.write(interleaved: samples.span)
    } catch {
      failure = error
      failed.store(true, ordering: .relaxed)
    }
  }
}

@c private func runPipe(_ context: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
  if let context { Unmanaged<AudioPipe>.fromOpaque(context).takeUnretainedValue().run() }
  return nil
}
