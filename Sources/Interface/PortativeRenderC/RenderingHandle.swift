import BatchRenderer
import LocalSystem
import OfflineRenderer
import Synchronization

/// A `portative_rendering`.
final class RenderingHandle {
  let rendered: ArraySong
  let song: SongHandle
  private let isCancelled = Atomic(false)
  /// Frames that were rendered but not read yet, for each channel, and the first of them.
  private var pending: [[Float]]
  private var first = 0
  private var hasEnded = false
  /// Known after the last frame.
  private(set) var labels: SongLabels?

  var stream: SongStream { rendered.stream }

  init(_ rendered: ArraySong, of song: SongHandle) {
    self.rendered = rendered
    self.song = song
    pending = Array(repeating: [], count: rendered.stream.channels)
  }

  func cancel() { isCancelled.store(true, ordering: .relaxed) }

  func read(
    _ audio: UnsafeMutablePointer<Float>, stride: Int, capacity: Int
  ) throws(Failure) -> Int {
    guard capacity >= 1, stride >= capacity else {
      throw .usage(
        "the capacity must be 1 frame or more, and the stride the capacity or more, but they were "
          + "\(capacity) and \(stride)")
    }
    var done = 0
    while true {
      done += take(audio + done, stride: stride, capacity: capacity - done)
      if done == capacity || hasEnded { return done }
      if isCancelled.load(ordering: .relaxed) { throw .interrupted(by: 0) }
      try ForkGate.pass { () throws(Failure) in try renderCycle(audio, stride, capacity, &done) }
    }
  }

  /// Renders a cycle directly to the caller's memory, and what does not fit there to ``pending``.
  private func renderCycle(
    _ audio: UnsafeMutablePointer<Float>, _ stride: Int, _ capacity: Int, _ done: inout Int
  ) throws(Failure) {
    do throws(RenderError) {
      let isRunning = try stream.next { channels in
        let count = min(channels[0].count, capacity - done)
        for (index, channel) in channels.enumerated() {
          let target = audio + index * stride + done
          for i in 0..<count { target[i] = channel[i] }
          pending[index] += channel[count...]
        }
        done += count
      }
      hasEnded = !isRunning && pending[0].isEmpty
      if !isRunning { labels = stream.labels(hasBeats: song.hasBeats) }
    } catch {
      throw Failure(error, input: rendered.name)
    }
  }

  /// Moves pending frames to the caller's memory.
  private func take(_ audio: UnsafeMutablePointer<Float>, stride: Int, capacity: Int) -> Int {
    let count = min(pending[0].count - first, capacity)
    for index in pending.indices {
      for i in 0..<count { audio[index * stride + i] = pending[index][first + i] }
    }
    first += count
    if first == pending[0].count {
      for index in pending.indices { pending[index].removeAll(keepingCapacity: true) }
      first = 0
    }
    return count
  }
}
