import Configuration
import Dispatch
import LivePlayer
import LocalSystem
import Synchronization

/// Reads songs, and reads that of the next scene ahead, so that it starts at once.
///
/// Threads: any.
final class SongReader: Sendable {
  /// Returns the path of the SoundFont of the server.
  private let soundFont: @Sendable () throws -> String
  /// The frames per second that the sound device will probably have.
  private let sampleRate: Int
  private let prepared = Mutex<Prepared?>(nil)
  private let queue = DispatchQueue(label: "portative-song-ahead")

  /// A song that was read ahead.
  private struct Prepared {
    let origin: Origin
    let content: SongContent
  }

  /// What a song is read from.
  private struct Origin: Equatable {
    let path: String
    let version: FileVersion
    /// Audio has the beats of its scene.
    let tempo: Double?
    let soundFont: String?
  }

  /// The bytes of the file of a song, or where they are.
  enum Source: Sendable {
    case bytes([UInt8])
    case path(String)
  }

  init(_ soundFont: @escaping @Sendable () throws -> String, sampleRate: Int) {
    (self.soundFont, self.sampleRate) = (soundFont, sampleRate)
  }

  /// Reads a song, unless it was read ahead and its file has not changed.
  ///
  /// - Parameters:
  ///   - name: The name for the user, for a file without a title.
  ///   - soundFont: The path of the SoundFont; `nil`: that of the server.
  ///   - settings: How it is played.
  /// - Throws: ``Failure`` if it cannot be read.
  func read(
    _ source: Source, name: String, soundFont: String?, _ settings: SongSettings
  ) throws(Failure) -> SongContent {
    let bytes: [UInt8]
    switch source {
    case .bytes(let all): bytes = all
    case .path(let path):
      if soundFont == nil, let prepared = prepared.withLock({ $0 }),
        prepared.origin == origin(of: path, settings)
      {
        return prepared.content
      }
      bytes = try SongContent.read(path)
    }
    if !SongContent.isMIDI(bytes) {
      return try SongContent(audio: bytes, name: name, tempo: settings.beatsPerMinute)
    }
    return try SongContent(midi: bytes, name: name) { try soundFont ?? self.soundFont() }
  }

  /// - Returns: `nil` if the file does not exist.
  private func origin(of path: String, _ settings: SongSettings) -> Origin? {
    FileVersion(path).map { version in
      Origin(
        path: path, version: version, tempo: settings.beatsPerMinute, soundFont: try? soundFont())
    }
  }

  /// Reads the song of a scene ahead, on another thread. An error is reported when the scene is chosen.
  ///
  /// - Parameter known: The frames per second of the sound device; `nil` while no song plays.
  func prepare(_ scene: SceneSong, for known: Int?) {
    guard case .song(let track) = scene.track else { return }
    let settings = SongSettings(of: track, in: scene)
    queue.async { [self] in
      guard let origin = origin(of: track.file, settings),
        prepared.withLock({ $0?.origin }) != origin,
        let content = try? read(.path(track.file), name: track.name, soundFont: nil, settings)
      else { return }
      try? (content.source as? AudioTrackSource)?.prepare(for: known ?? sampleRate)
      prepared.withLock { $0 = Prepared(origin: origin, content: content) }
    }
  }

  /// The path of the song that was read ahead; `nil`: none was.
  var preparedPath: String? { prepared.withLock { $0?.origin.path } }
}

extension TrackSettings {
  /// The name of the file.
  var name: String { String(file.folderAndName.name) }
}
