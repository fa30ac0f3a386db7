import Configuration
import Glibc
import LocalSystem
import Synchronization

/// A recording of a stream. A thread of its own writes the files, from the first cycle on, until it is ended or another
/// stream begins in the ring.
///
/// Threads: any.
package final class Recording: Sendable {
  private let ring: MixRing
  private let sampleRate: Int
  private let isLate: Bool
  private let state = Mutex<RecordingProgress?>(nil)
  private let music: (any PlayedMusic)?
  private let midiInterval: Double
  private let report: @Sendable (RecorderEvent) -> Void
  /// The number of frames that the ring had dropped before.
  private let lostBefore: UInt32
  private let hasEnded = Atomic(false)
  private let isComplete = Atomic(false)
  /// The microseconds between two looks into the ring.
  private static let interval: UInt32 = 50_000
  /// A recording that begins later in its stream, in seconds, has no silence before its first cycle.
  private static let longestSilence: Int64 = 60

  /// - Parameters:
  ///   - ring: Receives the cycles of the stream. Nothing else reads it until ``isOver``.
  ///   - isLate: Whether the stream plays already, so that there is no silence before its first cycle.
  ///   - music: What keyboards play; `nil`: there is no MIDI file.
  ///   - midiInterval: The time after which the MIDI file is written again, in seconds.
  init(
    of ring: MixRing, sampleRate: Int, isLate: Bool, _ music: (any PlayedMusic)?,
    midiInterval: Double,
    _ report: @escaping @Sendable (RecorderEvent) -> Void
  ) {
    (self.ring, self.sampleRate, self.isLate, self.music) = (ring, sampleRate, isLate, music)
    (self.midiInterval, self.report) = (midiInterval, report)
    lostBefore = ring.lost
  }

  /// Starts the thread.
  ///
  /// - Parameters:
  ///   - nextPath: Returns the path of the audio file.
  ///   - done: Called when the files are complete.
  func start(
    to nextPath: @escaping @Sendable () -> String, _ done: @escaping @Sendable () -> Void
  ) throws(SystemError) {
    try SystemThread(name: "portative-rec") {
      self.run(nextPath)
      self.isComplete.store(true, ordering: .releasing)
      done()
    }.detach()
  }

  /// Ends the recording with the cycles that are in the ring.
  package func end() { hasEnded.store(true, ordering: .releasing) }

  /// Whether the files are complete, and the ring may have another recording.
  package var isOver: Bool { isComplete.load(ordering: .acquiring) }

  /// How far it is; `nil` before the first cycle.
  var progress: RecordingProgress? { state.withLock { $0 } }

  private func run(_ nextPath: () -> String) {
    var files: RecordedFiles?
    var samples: [Float] = []
    var path = ""
    var lost = lostBefore
    while true {
      // Read before the ring: it then has all cycles.
      var isEnded = hasEnded.load(ordering: .acquiring)
      if lost == lostBefore, ring.lost != lost {
        lost = ring.lost
        report(.warning(lossText(path) + "; more may follow"))
      }
      while let position = ring.position {
        if position == 0, files != nil {
          isEnded = true
          break
        }
        ring.removeFirst(&samples)
        if files == nil {
          path = nextPath()
          let begin =
            isLate || position > Self.longestSilence * Int64(sampleRate) ? position : 0
          files = RecordedFiles(
            to: path, sampleRate: sampleRate, music, from: begin, midiInterval: midiInterval, report
          )
        }
        files?.write(samples, at: position)
        let progress = files?.progress()
        state.withLock { $0 = progress ?? $0 }
      }
      if isEnded { break }
      files?.update()
      usleep(Self.interval)
    }
    if ring.lost != lostBefore { files?.writeSilence(Int(ring.trailing)) }
    files?.complete()
    if ring.lost != lost { report(.warning(lossText(path))) }
  }

  private func lossText(_ path: String) -> String {
    let seconds = decimal(Double(ring.capacity) / Double(sampleRate), digits: 1)
    return
      "\(ring.lost &- lostBefore) frames are silent in the recording '\(path)', because the disk was slower for more "
      + "than the \(seconds) s that wait for it: record to another disk"
  }
}

/// How far a recording is.
package struct RecordingProgress: Equatable, Sendable {
  /// The path of the audio file.
  package var path: String
  /// The seconds of audio that have been written.
  package var seconds: Double
  /// The greatest sample so far; 1 is full scale.
  package var peak: Float
}
