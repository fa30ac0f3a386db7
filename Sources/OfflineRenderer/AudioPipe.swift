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
  private var blocks = [(left: [Float], right: [Float])](repeating: ([], []), count: 4)
  private var given = 0
  private var thread = pthread_t()
  private var isDrained = false
  private let failed = Atomic<Bool>(false)
  private let free = UnsafeMutablePointer<sem_t>.allocate(capacity: 1)
  private let full = UnsafeMutablePointer<sem_t>.allocate(capacity: 1)

  init(_ file: consuming RenderedFile) {
    self.file = consume file
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
  }

  /// Hands over a block of 1 or more frames.
  func write(left: Span<Float>, right: Span<Float>) {
    while sem_wait(free) != 0 {}
    let place = given % blocks.count
    blocks[place].left.removeAll(keepingCapacity: true)
    blocks[place].right.removeAll(keepingCapacity: true)
    for i in left.indices {
      blocks[place].left.append(left[i])
      blocks[place].right.append(right[i])
    }
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
    let nothing: [Float] = []
    write(left: nothing.span, right: nothing.span)
    pthread_join(thread, nil)
  }

  /// The writing thread: an empty block ends it.
  fileprivate func run() {
    var taken = 0
    while true {
      while sem_wait(full) != 0 {}
      let place = taken % blocks.count
      taken += 1
      let (left, right) = blocks[place]
      if left.isEmpty { return }
      if failure == nil {
        do throws(AudioFileError) {
          try file?.write(left: left.span, right: right.span)
        } catch {
          failure = error
          failed.store(true, ordering: .relaxed)
        }
      }
      sem_post(free)
    }
  }
}

@c private func runPipe(_ context: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
  if let context { Unmanaged<AudioPipe>.fromOpaque(context).takeUnretainedValue().run() }
  return nil
}
