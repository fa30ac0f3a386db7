/// All songs that a run was asked for, one after the other as they were named.
struct SongList {
  private(set) var songs: [ListedSong] = []
  /// Files in the folders named that are no songs by their names.
  private(set) var others: [String] = []
  /// Whether a folder or a manifest was named, and so nobody has seen the whole list yet.
  private(set) var isOpen = false

  /// - Throws: When nothing can be listed at all: a manifest that cannot be read, or no song in all
  ///   that was named.
  init(_ options: RenderOptions) throws(Failure) {
    for input in options.inputs {
      if FileIdentity(input)?.isFolder == true {
        isOpen = true
        add(SongWalk(input), input, options.song)
      } else {
        songs.append(ListedSong(input, options.song))
      }
    }
    if let path = options.manifest {
      isOpen = true
      songs += try Manifest.read(path, options.song)
    }
    if songs.isEmpty { throw nothing(options) }
  }

  private mutating func add(_ walk: SongWalk, _ folder: String, _ options: SongOptions) {
    songs += walk.songs.map { ListedSong(SongPath.joined(folder, $0), name: $0, options) }
    songs += walk.problems.map {
      ListedSong(SongPath.joined(folder, $0.path), name: $0.path, options, problem: $0.failure)
    }
    others += walk.others.map { SongPath.joined(folder, $0) }
  }

  private func nothing(_ options: RenderOptions) -> Failure {
    let places = options.inputs.map { "'\($0)'" } + (options.manifest.map { ["'\($0)'"] } ?? [])
    return Failure(
      .inputUnusable,
      "there is no song in \(places.joined(separator: ", ")): songs are files whose names end in "
        + SongWalk.endings.joined(separator: ", "))
  }
}
