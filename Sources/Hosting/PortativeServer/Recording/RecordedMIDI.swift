import AudioFile
import LiveAudio
import LocalSystem
import MIDIFile
import Options
import Threads

/// What keyboards play during a recording, in a MIDI file that is written again while they play. So it is complete up to
/// some seconds before the server is killed.
///
/// `@unchecked Sendable`: the thread of the recording uses it.
final class RecordedMIDI: @unchecked Sendable {
  private let played: SessionTake?
  private let interval: Double
  private let observer: any ServerObserver
  /// `nil` until there is a file name.
  private var path: String?
  /// The room for the file, because the audio file may fill the disk.
  private var reserve: DiskReserve?
  /// The file as it was written last; `nil`: it has not been written.
  private var version: FileVersion?
  private var notes = 0
  private var eventCount = 0
  private var nextUpdate: Int64 = 0
  private var hasFailed = false
  /// The bytes that are kept free until the file has been written, and added to twice its length then.
  private static let room = 1 << 17

  /// - Parameters:
  ///   - played: What keyboards play; `nil`: only ``end(_:)`` writes the file.
  ///   - interval: The time after which the file is written again, in seconds.
  init(_ played: SessionTake?, every interval: Double, _ observer: any ServerObserver) {
    (self.played, self.interval, self.observer) = (played, interval, observer)
  }

  /// Begins a recording. Nothing is written yet.
  func begin(at path: String) {
    self.path = path
    reserve = DiskReserve(beside: path, bytes: Self.room)
    nextUpdate = MonotonicClock.now + Int64(interval * 1e9)
  }

  /// Writes the file again if the interval has passed and something was played meanwhile.
  func update() {
    let begin = MonotonicClock.now
    guard let path, begin >= nextUpdate, let count = played?.eventCount else { return }
    if count != eventCount, let take = played?.take() {
      do {
        try write(take, to: path)
        eventCount = count
      } catch {
        if !hasFailed {
          observer.log(warning: "\(missing(in: path)): \(error); it is tried again")
        }
        hasFailed = true
      }
    }
    // A long file on a slow disk must not keep the thread from the audio.
    let duration = MonotonicClock.now - begin
    nextUpdate = begin + max(Int64(interval * 1e9), 20 * duration)
  }

  /// Writes the file at the end of the recording.
  ///
  /// - Parameter take: All that keyboards have played; `nil`: no note.
  func end(_ take: Take?) {
    defer { reserve = nil }
    guard let path, let take else { return }
    do {
      try write(take, to: path)
    } catch {
      return observer.log(error: "\(missing(in: path)): \(error)")
    }
    observer.log("recorded \(path): \(noteCount)")
    let limit = ServerRecorder.limits.events
    if take.tracks.reduce(0, { $0 + $1.events.count }) >= limit {
      observer.log(warning: "'\(path)' has only the last \(limit) events: record in shorter parts")
    }
    if take.hasLosses {
      observer.log(warning: "events are missing in '\(path)', because the machine was too slow")
    }
  }

  private var noteCount: String { counted(notes, "note") }

  private func missing(in path: String) -> String {
    version == nil
      ? "what keyboards played was not recorded"
      : "what keyboards played last is missing in '\(path)', which has \(noteCount)"
  }

  private func write(_ take: Take, to path: String) throws {
    let bytes = try take.file.encoded()
    reserve = nil
    defer { reserve = DiskReserve(beside: path, bytes: 2 * bytes.count + Self.room) }
    let rules = OutputRules(mayReplace: { [version] path, _ in
      version != nil && FileVersion(path) == version
    })
    let file = try OutputFile(path: path, rules: rules)
    _ = bytes.withUnsafeBytes(file.write)
    try file.commit()
    version = FileVersion(path)
    notes = take.tracks.reduce(0) { $0 + $1.notes }
  }
}
