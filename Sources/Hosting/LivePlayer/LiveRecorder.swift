import LiveAudio
import LocalSystem
import MIDIFile
import NodeProtocol
import Synchronization

/// Begins and ends recordings with the transport of a song.
///
/// If a recording cannot be written, the song continues.
final class LiveRecorder {
  /// The song at the rate of the device, as its host must have it.
  private(set) var song: RecordedSong
  private let name: String
  private let path: String?
  private var recorder: Recorder?
  private var recording: Recording?
  private let events = Events()
  /// Whether the transport's present recording could not begin.
  private var hasFailed = false
  /// The error of the first recording that could not be written.
  private(set) var failure: Failure?

  private final class Events: Sendable {
    private let events = Mutex<[RecorderEvent]>([])
    func add(_ event: RecorderEvent) { events.withLock { $0.append(event) } }
    func take() -> [RecorderEvent] {
      events.withLock { events in
        defer { events = [] }
        return events
      }
    }
  }

  /// - Parameters:
  ///   - name: The path of the song.
  ///   - path: The path of the first recording; `nil` to name all after the song.
  init(_ map: BeatMap, song name: String, path: String?) {
    song = RecordedSong(map)
    (self.name, self.path) = (name, path)
  }

  /// Records from the start of the song on. Must be called before the host starts.
  ///
  /// - Throws: If a file exists, or cannot be written.
  func begin(_ host: LiveHost) throws {
    _ = try makeRecorder()
    host.execute(.toggleRecord)
  }

  private func makeRecorder() throws -> Recorder {
    if let recorder { return recorder }
    let made = try Recorder(
      to: path ?? "\(Recorder.stem(of: name)) take.wav", isNameFixed: path != nil,
      sampleRate: song.sampleRate
    ) { [events] in events.add($0) }
    recorder = made
    return made
  }

  /// Begins or ends a recording according to the transport. Must be called often.
  ///
  /// - Returns: What has happened since the last call.
  func update(_ host: LiveHost) -> [RecorderEvent] {
    if host.isRecording {
      begin()
    } else {
      recording?.end()
      hasFailed = false
    }
    return takeEvents(of: host)
  }

  /// Begins a recording when the last one is over. Until then, what is recorded waits in the ring.
  private func begin() {
    if hasFailed || recording?.isOver == false { return }
    do {
      recording = try makeRecorder().begin(
        sampleRate: song.sampleRate, song.music(), in: song.ring)?.recording
    } catch {
      recording = nil
      events.add(.failed(sentence: "nothing is recorded: \(error)", Failure(error)))
    }
    hasFailed = recording == nil
  }

  private func takeEvents(of host: LiveHost) -> [RecorderEvent] {
    let events = events.take()
    for case .failed(_, let error) in events { failure = failure ?? error }
    // Without audio, the MIDI file continues.
    if hasFailed { host.endRecording() }
    return events
  }

  /// Continues with another tempo, or with another host of the song, in the same files if the rate is the same. The
  /// previous host must have stopped.
  func change(to map: BeatMap) {
    if map.sampleRate == song.sampleRate { return song.change(to: map) }
    recording?.end()
    recording = nil
    song = RecordedSong(map)
  }

  /// Ends the recording, if there is one. Must be called after the host has stopped.
  func end(_ host: LiveHost) -> [RecorderEvent] {
    if host.isRecording { begin() }
    recorder?.stop()
    return takeEvents(of: host)
  }
}
