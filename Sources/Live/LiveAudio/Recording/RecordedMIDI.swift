import AudioFile
import Configuration
import Glibc
import LocalSystem
import MIDIFile

/// The music that keyboards play during a recording, in a MIDI file that is written again while they play. So it is complete up to
/// some seconds before the program is killed.
///
/// Threads: that of the recording.
struct RecordedMIDI: ~Copyable {
  private let path: String
  private let music: any PlayedMusic
  /// The position in the stream at which the recording begins.
  private let begin: Int64
  private let interval: Double
  private let report: @Sendable (RecorderEvent) -> Void
  /// The room for the file, because the audio file may fill the disk.
  private var reserve: DiskReserve?
  /// The file as it was written last; `nil`: it has not been written.
  private var version: FileVersion?
  private var notes = 0
  private var eventCount = 0
  private var nextUpdate: Int64
  private var hasFailed = false
  /// The bytes that are kept free until the file has been written, and added to twice its length then.
  private static let room = 1 << 17

  /// Reserves room on the disk. Nothing is written yet.
  ///
  /// - Parameters:
  ///   - begin: The position in the stream at which the recording begins.
  ///   - interval: The time after which the file is written again, in seconds.
  init(
    to path: String, _ music: any PlayedMusic, from begin: Int64, every interval: Double,
    _ report: @escaping @Sendable (RecorderEvent) -> Void
  ) {
    (self.path, self.music, self.begin, self.interval) = (path, music, begin, interval)
    self.report = report
    reserve = DiskReserve(beside: path, bytes: Self.room)
    nextUpdate = MonotonicClock.now + Int64(interval * 1e9)
  }

  /// Writes the file again if the interval has passed and something was played meanwhile.
  mutating func update() {
    let (count, now) = (music.eventCount, MonotonicClock.now)
    if now < nextUpdate { return }
    if count != eventCount {
      do {
        if let music = try music.music(from: begin) { try write(music) }
        eventCount = count
      } catch {
        if !hasFailed { report(.warning("\(missing): \(error); it is tried again")) }
        hasFailed = true
      }
    }
    // A long file on a slow disk must not keep the thread from the audio.
    nextUpdate = now + max(Int64(interval * 1e9), 20 * (MonotonicClock.now - now))
  }

  /// Writes the file at the end of the recording.
  consuming func end() {
    _ = music.eventCount
    do {
      guard let music = try music.music(from: begin) else { return }
      try write(music)
      report(.recorded(path: path, content: counted(notes, "note")))
      if let limit = music.limit {
        report(
          .warning("'\(path)' has only the last \(limit) events: record in shorter parts"))
      }
      if music.hasLosses {
        report(.warning("events are missing in '\(path)', because the machine was too slow"))
      }
    } catch {
      report(.failed(sentence: "\(missing): \(error)", Failure(error)))
    }
  }

  private var missing: String {
    version == nil
      ? "what keyboards played was not recorded"
      : "what keyboards played last is missing in '\(path)', which has \(counted(notes, "note"))"
  }

  private mutating func write(_ music: RecordedMusic) throws {
    let bytes = try music.file.encoded()
    reserve = nil
    defer { reserve = DiskReserve(beside: path, bytes: 2 * bytes.count + Self.room) }
    let rules = OutputRules(mayReplace: { [version] path, _ in
      version != nil && FileVersion(path) == version
    })
    let file = try OutputFile(path: path, rules: rules)
    _ = bytes.withUnsafeBytes(file.write)
    try file.commit()
    version = FileVersion(path)
    notes = music.notes
  }
}

/// Room on a disk that no other file can take, for a file that must be written although others fill the disk. The room
/// is free again with the last reference.
private final class DiskReserve {
  private let descriptor: CInt
  private static let least = 4096

  /// Reserves room, or as much of it as there is.
  ///
  /// - Parameter path: A file in the folder of the file system.
  /// - Returns: `nil` if there is no room, or if the file system has no files without a name.
  init?(beside path: String, bytes: Int) {
    descriptor = TemporaryFile.openUnnamed(in: OutputFile.folder(of: path))
    if descriptor < 0 { return nil }
    var bytes = bytes
    while bytes >= Self.least {
      if posix_fallocate(descriptor, 0, off_t(bytes)) == 0 { return }
      ftruncate(descriptor, 0)
      bytes /= 2
    }
    return nil
  }

  deinit { if descriptor >= 0 { close(descriptor) } }
}
