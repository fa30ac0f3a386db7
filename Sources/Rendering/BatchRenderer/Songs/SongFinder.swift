import Glibc
package import LocalSystem

/// Finds the songs in a folder and its subfolders, by the endings of their names.
///
/// The songs are sorted by name, whatever the order of the file system. Hidden entries are skipped, since the `._`
/// files that macOS writes beside songs end in `.mid` too. Symbolic links are followed and other file systems entered
/// only if requested. No folder is entered twice.
package struct SongFinder {
  static let endings = [".mid", ".midi", ".smf", ".kar", ".rmi"]

  /// Where the search goes beyond the folder itself.
  package struct Reach: Equatable {
    package var followsLinks: Bool
    package var crossesFileSystems: Bool

    package init(followsLinks: Bool = false, crossesFileSystems: Bool = false) {
      self.followsLinks = followsLinks
      self.crossesFileSystems = crossesFileSystems
    }
  }

  /// The songs, as paths below the folder.
  private(set) var songs: [String] = []
  /// Files with other endings, and entries that are not regular files.
  private(set) var others: [String] = []
  /// Symbolic links to folders, and those with the ending of a song, that were not followed.
  private(set) var links: [String] = []
  /// Folders on other file systems, which were not entered.
  private(set) var mounts: [String] = []
  private(set) var problems: [Problem] = []

  /// An entry of the folder that cannot be read.
  struct Problem: Equatable {
    /// The path below the folder.
    var path: String
    var failure: Failure
  }

  /// Returns files, and the songs of folders in their place.
  ///
  /// - Parameter inputs: Paths of files and folders.
  /// - Throws: ``Failure/Kind/inputUnusable`` if there is none.
  package static func songs(of inputs: [String]) throws(Failure) -> [String] {
    let songs = inputs.flatMap { input in
      guard FileIdentity(input)?.isFolder == true else { return [input] }
      return Self(input).songs.map { SongPath.joined(input, $0) }
    }
    if songs.isEmpty {
      throw Failure(
        .inputUnusable,
        "no song found in '\(inputs.joined(separator: "', '"))': songs are files whose names end in "
          + endings.joined(separator: ", "))
    }
    return songs
  }

  private let root: String
  private let reach: Reach
  private var device: dev_t?
  private var entered: Set<FileIdentity> = []

  /// Searches a folder.
  ///
  /// - Parameter folder: The path of the folder, which may be a symbolic link.
  init(_ folder: String, _ reach: Reach = Reach()) {
    root = folder
    self.reach = reach
    var status = stat()
    if !reach.crossesFileSystems, stat(folder.platformString, &status) == 0 {
      device = status.st_dev
    }
    search("")
  }

  private mutating func search(_ folder: String) {
    let path = path(folder)
    guard let identity = FileIdentity(path), entered.insert(identity).inserted else { return }
    do throws(WholeFile.Failure) {
      for name in try Folder.names(in: path) ?? [] { examine(folder + name, name) }
    } catch {
      problems.append(
        Problem(
          path: folder,
          failure: Failure(
            .inputUnusable, "cannot read the folder '\(path)': \(errnoDescription(error.code))")))
    }
  }

  private mutating func examine(_ entry: String, _ name: String) {
    if name.hasPrefix(".") { return }
    let path = path(entry).platformString
    var status = stat()
    var result = lstat(path, &status)
    if result == 0, status.st_mode & S_IFMT == S_IFLNK {
      result = stat(path, &status)
      if !reach.followsLinks {
        let isFolder = result == 0 && status.st_mode & S_IFMT == S_IFDIR
        if isFolder || Self.isSong(name) { links.append(entry) } else { others.append(entry) }
        return
      }
    }
    guard result == 0 else {
      let code = errno
      if Self.isSong(name) {
        problems.append(Problem(path: entry, failure: unreadable(entry, code)))
      }
      return
    }
    switch status.st_mode & S_IFMT {
    case S_IFDIR:
      if isOutside(status, entry) { mounts.append(entry) } else { search(entry + "/") }
    // Opening or reading a device or a FIFO might never return.
    case S_IFREG where Self.isSong(name): songs.append(entry)
    default: others.append(entry)
    }
  }

  /// Returns whether a folder is on a file system that must not be entered: any other file system, or, if other ones
  /// may be entered, a file system of the kernel.
  private func isOutside(_ status: stat, _ entry: String) -> Bool {
    if let device { return status.st_dev != device }
    return KernelFileSystem.contains(path(entry))
  }

  private func unreadable(_ entry: String, _ code: CInt) -> Failure {
    Failure(.inputUnusable, "cannot read '\(path(entry))': \(errnoDescription(code))")
  }

  private func path(_ entry: String) -> String { SongPath.joined(root, entry) }

  package static func isSong(_ name: String) -> Bool {
    let name = name.lowercased()
    return endings.contains { name.hasSuffix($0) }
  }
}
