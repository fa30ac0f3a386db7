import BatchRenderer
import Glibc
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
  private let wish: String?
  private var recording: LiveRecording?
  private var count = 0
  /// Whether the transport's current recording could not be written.
  private var isRefused = false
  /// The error of the first recording that could not be written.
  private(set) var failure: Failure?

  /// - Parameters:
  ///   - song: The path of the song.
  ///   - wish: The path of the first recording; `nil` to name it after the song, like the later ones.
  init(_ host: LiveHost, _ map: BeatMap, song: String, wish: String?) {
    self.host = host
    self.map = map
    self.song = song
    self.wish = wish
  }

  /// Starts a recording at the start of the song. Must be called before the host starts.
  ///
  /// - Returns: A sentence for the user.
  func begin() throws(Failure) -> String {
    let sentence = try open()
    host.execute(.toggleRecord)
    return sentence
  }

  /// Starts, continues or ends a recording according to the transport. Must be called often.
  ///
  /// - Returns: Sentences for the user.
  func look() -> [String] {
    // Read before draining: everything recorded until the transport stopped is then in the buffer.
    let isOn = host.isRecording
    if !isOn { isRefused = false }
    var sentences: [String] = []
    do throws(Failure) {
      if isOn, recording == nil, !isRefused { sentences.append(try open()) }
      try drain()
      if !isOn, let sentence = try finish() { sentences.append(sentence) }
    } catch {
      sentences.append(refuse(error))
    }
    return sentences
  }

  /// Continues with another host of the same song, in the same files if the rate is the same. The previous host must
  /// have
  /// stopped.
  ///
  /// - Returns: Sentences for the user.
  func move(to host: LiveHost, _ map: BeatMap) -> [String] {
    defer { (self.host, self.map) = (host, map) }
    do throws(Failure) {
      try drain()
      if map.sampleRate == self.map.sampleRate { return [] }
      return try finish().map { [$0] } ?? []
    } catch {
      return [refuse(error)]
    }
  }

  /// Ends the recording, if there is one. Must be called after the host has stopped.
  ///
  /// - Returns: Sentences for the user.
  func end() -> [String] {
    do throws(Failure) {
      try drain()
      return try finish().map { [$0] } ?? []
    } catch {
      return [refuse(error)]
    }
  }

  private func open() throws(Failure) -> String {
    count += 1
    let name: String
    if count == 1, let wish {
      name = wish
    } else {
      name = LiveRecording.freeName(wish ?? "\(LiveRecording.stem(song)) take.wav") {
        FileIdentity($0) != nil || FileIdentity(LiveRecording.midiName($0)) != nil
      }
    }
    if let old = FileIdentity(LiveRecording.midiName(name)), old == FileIdentity(song) {
      throw .usage(
        "recording to '\(name)' would put what keyboards play over the song itself: choose another name"
      )
    }
    recording = try LiveRecording(to: name, sampleRate: map.sampleRate, map)
    return "recording to \(name)"
  }

  private func drain() throws(Failure) {
    if recording == nil {
      host.discardRecorded()
    } else {
      try recording?.drain(host)
    }
  }

  private func finish() throws(Failure) -> String? {
    guard let ended = recording.take() else { return nil }
    return "recorded \(try ended.finish().joined(separator: " and "))"
  }

  private func refuse(_ error: Failure) -> String {
    recording = nil
    isRefused = true
    failure = failure ?? error
    host.endRecording()
    return "warning: \(error.message); the song goes on"
  }
}
