import Dispatch
package import LiveAudio
import LocalSystem
import Synchronization

/// The recording of what a server's ports play: `serve --record` begins it with the server, and a page at any time.
///
/// Threads: any.
final class ServerRecording: Sendable {
  private let takes: TakeRecorder
  private let sampleRate: Int
  private let observer: any ServerObserver
  private let state: Mutex<State>
  private let failures = Failures()

  private struct State {
    var recorder: Recorder?
    var isChanging = false
  }

  private final class Failures: Sendable {
    let last = Mutex<String?>(nil)
  }

  /// - Parameters:
  ///   - recorder: The recorder of `--record`; `nil`: nothing is recorded yet.
  ///   - sampleRate: The frames per second that the device will probably have.
  init(
    _ recorder: Recorder?, _ takes: TakeRecorder, sampleRate: Int, _ observer: any ServerObserver
  ) {
    state = Mutex(State(recorder: recorder))
    (self.takes, self.sampleRate, self.observer) = (takes, sampleRate, observer)
  }

  /// Records what is heard; `nil` while nothing is recorded.
  var recorder: Recorder? { state.withLock { $0.recorder } }

  /// What a page shows.
  var status: RecordingStatus {
    let recorder = recorder
    return RecordingStatus(
      isOn: recorder != nil, progress: recorder?.progress, failure: failures.last.withLock { $0 })
  }

  /// Begins a recording, unless there is one. An error ends it. Waits as ``LocalPlayback/record(with:)`` does.
  ///
  /// - Parameter path: The path of the audio file, or of the first one if the name is in use.
  /// - Throws: `Failure` or `AudioFileError` if no file can be written.
  func begin(to path: String, of playback: PlaybackGroup) throws {
    let isFree = state.withLock { state in
      if state.recorder != nil || state.isChanging { return false }
      state.isChanging = true
      return true
    }
    guard isFree else { return }
    defer { state.withLock { $0.isChanging = false } }
    failures.last.withLock { $0 = nil }
    let recorder = try Recorder(to: path, isNameFixed: false, sampleRate: sampleRate) {
      [observer, failures, weak self, weak playback] event in
      observer.log(event)
      guard case .failed(let sentence, _) = event else { return }
      failures.last.withLock { $0 = sentence }
      // Not here, because the end waits for the thread that reports this.
      DispatchQueue.global(qos: .utility).async { [self, playback] in
        if let playback { self?.end(of: playback) }
      }
    }
    takes.recordingLimits = .recording
    state.withLock { $0.recorder = recorder }
    do {
      try playback.record(with: recorder)
    } catch {
      end(of: playback)
      throw error
    }
  }

  /// Ends the recording, and waits until its files are complete, for at most 10 s.
  func end(of playback: PlaybackGroup) {
    guard let recorder = state.withLock({ $0.recorder.take() }) else { return }
    try? playback.record(with: nil)
    recorder.stop()
    // Another recording may have begun meanwhile.
    state.withLock { if $0.recorder == nil { takes.recordingLimits = nil } }
  }

  /// Completes the files of a server that has stopped.
  func stop() { state.withLock { $0.recorder }?.stop() }
}

/// The state of a server's recording.
package struct RecordingStatus: Equatable, Sendable {
  package var isOn = false
  /// How far it is; `nil` before the device has played.
  package var progress: RecordingProgress?
  /// Why the last recording could not be written.
  package var failure: String?
}
