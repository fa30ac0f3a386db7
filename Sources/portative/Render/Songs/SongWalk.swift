import Glibc
import LocalSystem

/// The songs in a folder and in all folders within it, told by the endings of their names.
///
/// They come in the order of their names, whatever order the file system has. Links are followed, but
/// no folder is entered twice. What is hidden is left out: the `._` files beside songs that have been
/// on a Mac end in `.mid` too.
struct SongWalk {
  static let endings = [".mid", ".midi", ".smf", ".kar", ".rmi"]

  /// Paths below the folder.
  private(set) var songs: [String] = []
  /// Files that are no songs by their names, or no files at all.
  private(set) var others: [String] = []
  private(set) var problems: [Problem] = []

  /// Something in the folder that cannot be looked at.
  struct Problem: Equatable {
    /// Its path below the folder.
    var path: String
    var failure: Failure
  }

  private let root: String
  private var entered: Set<FileIdentity> = []

  init(_ folder: String) {
    root = folder
    walk("")
  }

  private mutating func walk(_ folder: String) {
    let path = path(folder)
    guard let identity = FileIdentity(path), entered.insert(identity).inserted else { return }
    do throws(WholeFile.Failure) {
      for name in try Folder.names(in: path) ?? [] { look(at: folder + name, name) }
    } catch {
      problems.append(
        Problem(
          path: folder,
          failure: Failure(
            .inputUnusable, "cannot look into '\(path)': \(systemMessage(error.code))")))
    }
  }

  private mutating func look(at entry: String, _ name: String) {
    if name.hasPrefix(".") { return }
    var status = stat()
    guard stat(path(entry).platformString, &status) == 0 else {
      let code = errno
      if Self.isSong(name) { problems.append(Problem(path: entry, failure: lost(entry, code))) }
      return
    }
    switch status.st_mode & S_IFMT {
    case S_IFDIR: walk(entry + "/")
    // Another kind might never end, or never begin.
    case S_IFREG where Self.isSong(name): songs.append(entry)
    default: others.append(entry)
    }
  }

  private func lost(_ entry: String, _ code: CInt) -> Failure {
    Failure(.inputUnusable, "cannot read '\(path(entry))': \(systemMessage(code))")
  }

  private func path(_ entry: String) -> String { SongPath.joined(root, entry) }

  static func isSong(_ name: String) -> Bool {
    let name = name.lowercased()
    return endings.contains { name.hasSuffix($0) }
  }
}
