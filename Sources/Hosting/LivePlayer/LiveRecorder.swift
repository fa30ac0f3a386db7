import BatchRenderer
import LocalSystem
import MIDIFile
import NodeProtocol
import SongHost

/// Records the output while the song's transport is recording, each time to new files.
///
/// If a recording cannot be written, it ends without leaving files, and the song continues.
final class LiveRecorder {
  private var host: LiveHost
  private var map: BeatMap
  private let song: String
  private let path: String?
  private var recording: LiveRecording?
  private var count = 0
  /// Whether the transport's current recording could not be written.
  private var hasFailed = false
  /// The error of the first recording that could not be written.
  private(set) var failure: Failure?

  /// - Parameters:
  ///   - song: The path of the song.
  ///   - path: The path of the first recording; `nil` to name it after the song, like the later ones.
  init(_ host: LiveHost, _ map: BeatMap, song: String, path: String?) {
    self.host = host
    self.map = map
    self.song = song
    self.path = path
  }

  /// Starts a recording at the start of the song. Must be called before the host starts.
  func begin() throws -> PlayerEvent {
    let event = try open()
    host.execute(.toggleRecord)
    return event
  }

  /// Starts, continues or ends a recording according to the transport. Must be called often.
  func update() -> [PlayerEvent] {
    // Read before draining: everything recorded until the transport stopped is then in the buffer.
    let isOn = host.isRecording
    if !isOn { hasFailed = false }
    return events { events in
      if isOn, recording == nil, !hasFailed { events.append(try open()) }
      try drain()
      if !isOn { try finish(&events) }
    }
  }

  /// Continues with another host of the same song, in the same files if the rate is the same. The previous host must
  /// have stopped.
  func move(to host: LiveHost, _ map: BeatMap) -> [PlayerEvent] {
    defer { (self.host, self.map) = (host, map) }
    return events { events in
      try drain()
      if map.sampleRate != self.map.sampleRate { try finish(&events) }
    }
  }

  /// Ends the recording, if there is one. Must be called after the host has stopped.
  func end() -> [PlayerEvent] {
    events { events in
      try drain()
      try finish(&events)
    }
  }

  /// Returns the events that `body` adds; an error of it ends the recording.
  private func events(_ body: (inout [PlayerEvent]) throws -> Void) -> [PlayerEvent] {
    var events: [PlayerEvent] = []
    do {
      try body(&events)
    } catch {
      let error = Failure(error)
      recording = nil
      hasFailed = true
      failure = failure ?? error
      host.endRecording()
      events.append(.recordingFailed(error))
    }
    return events
  }

  private func open() throws -> PlayerEvent {
    count += 1
    let name: String
    if count == 1, let path {
      name = path
    } else {
      name = LiveRecording.freeName(path ?? "\(LiveRecording.stem(song)) take.wav") {
        FileIdentity($0) != nil || FileIdentity(LiveRecording.midiName($0)) != nil
      }
    }
    let midi = LiveRecording.midiName(name)
    if let old = FileIdentity(midi), old == FileIdentity(song) {
      throw Failure.usage(
        "a recording to '\(name)' would replace the song '\(midi)' by what keyboards play: choose another "
          + "name")
    }
    recording = try LiveRecording(to: name, sampleRate: map.sampleRate, map)
    return .recording(path: name)
  }

  private func drain() throws {
    if recording == nil {
      host.discardRecorded()
    } else {
      try recording?.drain(host)
    }
  }

  private func finish(_ events: inout [PlayerEvent]) throws {
    if let ended = recording.take() { events.append(.recorded(paths: try ended.finish())) }
  }
}
