import AudioFile
import Glibc
import LiveAudio
import LocalSystem
import Options
import Synchronization
import Threads

/// The recording of a sound device from when it is opened until it is closed. A thread of its own writes the files.
///
/// Threads: any.
final class RecordingSession: Sendable {
  /// Receives the frames of the device.
  let ring: MixRing
  private let sampleRate: Int
  private let capacity: Int
  private let midi: RecordedMIDI
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
    sampleRate: Int, capacity: Int, _ midi: RecordedMIDI, _ recorder: ServerRecorder,
    _ observer: any ServerObserver
  ) {
    (self.sampleRate, self.capacity, self.midi) = (sampleRate, capacity, midi)
    (self.recorder, self.observer) = (recorder, observer)
    ring = MixRing(capacity: capacity)
  }

  /// Starts the thread.
  ///
  /// - Parameter done: Called when the files are complete.
  func start(_ done: @escaping @Sendable () -> Void) throws(SystemError) {
    try SystemThread(name: "portative-rec") {
      self.run()
      done()
    }.detach()
  }

  /// Ends the recording. What the device plays afterwards is not recorded.
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
            midi.begin(at: ServerRecorder.midiPath(next))
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
      if !hasEnded {
        midi.update()
        usleep(Self.interval)
      }
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
    midi.end(state.withLock { $0.take })
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
}
