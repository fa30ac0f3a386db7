import AudioFile
import Dispatch
import Glibc
import LiveAudio
import LocalSystem
import MIDIFile
import Synchronization
import Threads

/// Records what a server plays on its sound device, and what keyboards play, to files.
///
/// Each time the device is opened, a new pair of files begins: `live.wav` and `live.mid`, then `live-2.wav` and
/// `live-2.mid`. A tick of the MIDI file is a frame of the audio file. No existing file is replaced. An error is
/// logged, ends the recording, and leaves what was written.
///
/// Realtime: no, except the tap. Threads: any.
final class ServerRecorder: PlaybackRecorder {
  /// What is kept of the keyboards for a pair of files. The oldest events are forgotten first.
  static let limits = TakeLimits(seconds: 1e9, events: 1 << 21, bytes: 1 << 26)

  private let path: String
  private let sampleRate: Int
  private let capacity: Int
  private let midiInterval: Double
  private let observer: any ServerObserver
  private let sessions = DispatchGroup()
  private let state = Mutex(State())

  private struct State {
    var current: RecordingSession?
    var count = 0
    var hasFailed = false
    /// The recorders of ports that have a device of their own.
    var ports: [ServerRecorder] = []
  }

  /// - Parameters:
  ///   - path: The path of the first audio file. Its extension determines the format.
  ///   - sampleRate: The frames per second that the device will probably have.
  ///   - capacity: The frames that wait for the disk; a power of two.
  ///   - midiInterval: The seconds after which the MIDI file is written again while keyboards play.
  /// - Throws: ``AudioFileError`` or ``Failure`` if the file exists or cannot be written.
  init(
    to path: String, sampleRate: Int, capacity: Int = 1 << 20, midiInterval: Double = 10,
    _ observer: any ServerObserver
  ) throws {
    (self.path, self.sampleRate, self.capacity, self.midiInterval, self.observer) =
      (path, sampleRate, capacity, midiInterval, observer)
    let midi = Self.midiPath(path)
    for path in [path, midi] where try OutputFile.wouldReplace(path, rules: OutputRules()) {
      throw Failure(.outputNotWritten, "'\(path)' exists: choose another name, or move the file")
    }
    // A trial, so that a missing folder is an error now.
    try RecordedAudio.writer(to: path, sampleRate: sampleRate).discard()
  }

  /// Returns a recorder for a port that has a device of its own: of `live.wav`, it makes `live-Piano.wav`.
  func recorder(of port: String) throws -> ServerRecorder {
    let (stem, ending) = Self.parts(path)
    let name = port.replacing("/", with: "-")
    let recorder = try ServerRecorder(
      to: "\(stem)-\(name)\(ending)", sampleRate: sampleRate, capacity: capacity,
      midiInterval: midiInterval, observer)
    state.withLock { $0.ports.append(recorder) }
    return recorder
  }

  func begin(sampleRate: Int, _ played: SessionTake?) -> MixRing? {
    let midi = RecordedMIDI(played, every: midiInterval, observer)
    let session = RecordingSession(
      sampleRate: sampleRate, capacity: capacity, midi, self, observer)
    do {
      sessions.enter()
      try session.start { [sessions] in sessions.leave() }
    } catch {
      sessions.leave()
      observer.log(error: "nothing is recorded: \(error)")
      return nil
    }
    state.withLock { $0.current = session }
    return session.ring
  }

  func end(_ take: Take?) { state.withLock { $0.current.take() }?.end(take) }

  /// Waits until all files are complete, for at most 10 s. What a device plays afterwards is not recorded.
  func stop() {
    end(nil)
    for port in state.withLock({ $0.ports }) { port.stop() }
    if sessions.wait(timeout: .now() + 10) == .timedOut {
      observer.log(
        error:
          "the recording '\(path)' is not complete, because the disk has not taken it within 10 s: what it has "
          + "taken is in a file whose name ends in .partial")
    }
  }

  /// Whether an error has ended the recording.
  var hasFailed: Bool { state.withLock { $0.hasFailed } }

  /// Logs an error that ends the recording, once.
  func fail(_ message: String) {
    let isFirst = state.withLock { state in
      defer { state.hasFailed = true }
      return !state.hasFailed
    }
    if isFirst { observer.log(error: message) }
  }

  /// Returns the path of the next audio file.
  func nextPath() -> String {
    state.withLock { state in
      while true {
        state.count += 1
        if state.count == 1 { return path }
        let (stem, ending) = Self.parts(path)
        let next = "\(stem)-\(state.count)\(ending)"
        if ![next, Self.midiPath(next)].contains(where: exists) { return next }
      }
    }
  }

  private func exists(_ path: String) -> Bool { access(path.platformString, F_OK) == 0 }

  static func midiPath(_ path: String) -> String { parts(path).stem + ".mid" }

  /// Splits a path before its extension. A dot at the start of a file name does not start an extension.
  private static func parts(_ path: String) -> (stem: Substring, ending: Substring) {
    let name = path.folderAndName.name.startIndex
    guard let dot = path.lastIndex(of: "."), dot > name else { return (path[...], "") }
    return (path[..<dot], path[dot...])
  }
}
