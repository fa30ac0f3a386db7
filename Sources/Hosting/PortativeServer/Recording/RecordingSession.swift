import AudioFile
import Glibc
import LiveAudio
import LocalSystem
import MIDIFile
import Options
import Synchronization
import Threads

/// The recording of a sound device from when it is opened until it is closed. A thread of its own writes the files.
///
/// Threads: any.
final class RecordingSession: Sendable {
  private let ring: MixRing
  private let sampleRate: Int
  private let capacity: Int
  private let recorder: ServerRecorder
  private let observer: any ServerObserver
  private let state = Mutex(State())
  /// The microseconds between two looks into the ring.
  private static let interval: UInt32 = 50_000

  private struct State {
    var hasEnded = false
    var take: Take?
  }

  init(
    sampleRate: Int, capacity: Int, _ recorder: ServerRecorder, _ observer: any ServerObserver
  ) {
    (self.sampleRate, self.capacity) = (sampleRate, capacity)
    (self.recorder, self.observer) = (recorder, observer)
    ring = MixRing(capacity: capacity)
  }

  var tap: MixTap { ring.tap }

  /// Starts the thread.
  ///
  /// - Parameter done: Called when the files are complete.
  func start(_ done: @escaping @Sendable () -> Void) throws(SystemError) {
    try SystemThread(name: "portative-rec") {
      self.run()
      done()
    }.detach()
  }

  /// Ends the recording. The device must have stopped.
  func end(_ take: Take?) {
    state.withLock { $0 = State(hasEnded: true, take: take) }
  }

  private func run() {
    var path: String?
    var audio: RecordedAudio?
    var samples: [Float] = []
    var lost: UInt32 = 0
    var isFinite = true
    var updateTime = MonotonicClock.now
    var hasEnded = false
    while !hasEnded {
      // Read before draining: all frames are then in the ring.
      hasEnded = state.withLock { $0.hasEnded }
      if lost == 0, ring.lost != 0 {
        lost = ring.lost
        observer.log(warning: lossText(path) + "; more may follow")
      }
      do {
        while let position = ring.next(&samples) {
          if recorder.hasFailed { continue }
          if audio == nil {
            let next = recorder.nextPath()
            path = next
            audio = try RecordedAudio(to: next, sampleRate: sampleRate)
            observer.log("recording to \(next), \(sampleRate) Hz")
          }
          if let invalid = try audio?.write(samples, at: position), isFinite {
            isFinite = false
            observer.log(warning: invalidText(path, Double(invalid) / Double(sampleRate)))
          }
        }
        if hasEnded { try audio?.writeSilence(Int(ring.trailing)) }
        if MonotonicClock.now - updateTime >= 1_000_000_000 {
          updateTime = MonotonicClock.now
          try audio?.updateHeader()
        }
      } catch {
        fail(error, audio.take()?.keepPartial())
      }
      if !hasEnded { usleep(Self.interval) }
    }
    do {
      if let audio = audio.take() {
        let frames = try audio.finish()
        if let path {
          observer.log("recorded \(path): \(clockText(Double(frames) / Double(sampleRate)))")
        }
      }
    } catch {
      fail(error, nil)
    }
    if ring.lost != lost { observer.log(warning: lossText(path)) }
    if let path { writeMIDI(ServerRecorder.midiPath(path)) }
  }

  private func fail(_ error: any Error, _ partial: String?) {
    let rest = partial.map { "; what was recorded before is in '\($0)'" } ?? ""
    recorder.fail("the recording has ended, the sound continues: \(error)\(rest)")
  }

  private func invalidText(_ path: String?, _ seconds: Double) -> String {
    "a port plays samples that are no finite numbers, at \(clockText(seconds)) of the recording"
      + (path.map { " '\($0)'" } ?? "") + ", which has 0 for them; more may follow"
  }

  private func lossText(_ path: String?) -> String {
    let seconds = Double(capacity) / Double(sampleRate)
    return
      "\(ring.lost) frames are silent in the recording\(path.map { " '\($0)'" } ?? ""), because the disk was slower "
      + "for more than the \(decimal(seconds, digits: 1)) s that wait for it: record to another disk"
  }

  /// Writes what keyboards have played, if they have played a note.
  private func writeMIDI(_ path: String) {
    guard let take = state.withLock({ $0.take }) else { return }
    do {
      let file = try OutputFile(path: path, rules: OutputRules(mayReplace: { _, _ in false }))
      _ = try take.file.encoded().withUnsafeBytes(file.write)
      try file.commit()
    } catch {
      return observer.log(error: "what keyboards played was not recorded: \(error)")
    }
    let notes = take.tracks.reduce(0) { $0 + $1.notes }
    observer.log("recorded \(path): \(notes) \(notes == 1 ? "note" : "notes")")
    let limit = ServerRecorder.limits.events
    if take.tracks.reduce(0, { $0 + $1.events.count }) >= limit {
      observer.log(warning: "'\(path)' has only the last \(limit) events: record in shorter parts")
    }
    if take.hasLosses {
      observer.log(warning: "events are missing in '\(path)', because the machine was too slow")
    }
  }
}
