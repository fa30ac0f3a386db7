import AudioFile
import Configuration
import LocalSystem
import OfflineRenderer

/// All songs of a run, in the order in which they were named.
package struct SongList {
  private(set) var songs: [SongRequest] = []
  /// The entries of the named folders that are not rendered.
  private(set) var skipped = Skipped()
  /// Whether a folder or a manifest was named, so that the user has not named every song.
  private(set) var isOpen = false
  private let reach: SongFinder.Reach

  /// The paths of entries of folders that are not rendered.
  package struct Skipped: Equatable {
    /// Files that do not have the ending of a song.
    package var others: [String] = []
    /// Symbolic links that were not followed.
    package var links: [String] = []
    /// Folders on other file systems, which were not entered.
    package var mounts: [String] = []

    package init() {}
  }

  /// - Throws: ``Failure`` if the manifest cannot be read, if a folder is named without a place for its output files,
  ///   or if there is no song.
  init(_ options: RenderOptions) throws(Failure) {
    reach = options.reach
    for input in options.songs {
      if FileIdentity(input)?.isFolder == true {
        isOpen = true
        try Self.validatePlace(of: input, options)
        add(SongFinder(input, reach), input, options.song)
      } else {
        songs.append(SongRequest(input, options.song))
      }
    }
    if let path = options.manifest {
      isOpen = true
      songs += try Manifest.read(path, options.song)
    }
    if songs.isEmpty { throw noSongs(options) }
    if options.compares {
      isOpen = true
      let unchanged = songs
      songs = []
      for song in unchanged {
        for font in options.comparedSoundFonts {
          songs.append(try Self.song(song, with: font, isInFolder: options.folder != nil))
        }
      }
    }
  }

  /// Returns a song that is played with a SoundFont, which its output file is named after.
  private static func song(
    _ song: SongRequest, with soundFont: String, isInFolder: Bool
  ) throws(Failure) -> SongRequest {
    var song = song
    song.options.soundFont = soundFont
    if song.options.normalization == nil {
      // Low enough for a song with high peaks.
      song.options.normalization = try Normalization("-23LUFS")
    }
    let stem = SongPath.stem(isInFolder ? song.name : song.input)
    let font = SongPath.lastPart(SongPath.withoutEnding(soundFont))
    let ending = try song.options.format(of: nil).container.rawValue
    song.output = "\(stem) \(font).\(ending)"
    return song
  }

  private static func validatePlace(of folder: String, _ options: RenderOptions) throws(Failure) {
    if options.output != nil {
      throw .usage("--output names one file for a folder of songs: use --directory DIR")
    }
    if options.folder == nil, !options.writesBesideSongs {
      throw .usage(
        "'\(folder)' is a folder: name the folder for its audio files with --directory DIR, or write "
          + "each beside its song with --beside")
    }
  }

  private mutating func add(_ finder: SongFinder, _ folder: String, _ options: SongOptions) {
    let root = reach.followsLinks ? nil : folder
    songs += finder.songs.map {
      SongRequest(SongPath.joined(folder, $0), name: $0, root: root, options)
    }
    songs += finder.problems.map {
      SongRequest(SongPath.joined(folder, $0.path), name: $0.path, options, problem: $0.failure)
    }
    skipped.others += finder.others.map { SongPath.joined(folder, $0) }
    skipped.links += finder.links.map { SongPath.joined(folder, $0) }
    skipped.mounts += finder.mounts.map { SongPath.joined(folder, $0) }
  }

  private func noSongs(_ options: RenderOptions) -> Failure {
    let places = options.songs.map { "'\($0)'" } + (options.manifest.map { ["'\($0)'"] } ?? [])
    var message =
      "no song found in \(places.joined(separator: ", ")): songs are files whose names end in "
      + SongFinder.endings.joined(separator: ", ")
    if let remedy = skipped.remedy { message += "; \(remedy)" }
    return Failure(.inputUnusable, message)
  }
}

extension SongList.Skipped {
  /// The options that include what was skipped, as in `2 symbolic links not followed (--dereference)`; `nil` if no link
  /// or file system was skipped.
  var remedy: String? {
    let parts = [
      links.isEmpty ? nil : "\(counted(links.count, "symbolic link")) not followed (--dereference)",
      mounts.isEmpty
        ? nil : "\(counted(mounts.count, "other file system")) not entered (--no-one-file-system)",
    ].compactMap(\.self)
    return parts.isEmpty ? nil : parts.joined(separator: "; ")
  }
}
