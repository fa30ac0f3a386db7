import AudioFile
import Glibc
import LocalSystem

/// The folders that a run creates for its files: those that do not exist before it.
struct NewFolders {
  /// Folders before the folders that they are in.
  private let paths: [String]

  /// - Parameter jobs: The jobs of a run that has not begun.
  init(_ jobs: [RenderPlan.Job]) {
    var known: Set<String> = []
    var paths: [String] = []
    func add(_ folder: String) {
      guard known.insert(folder).inserted, access(folder.platformString, F_OK) != 0 else { return }
      paths.append(folder)
      add(OutputFile.folder(of: folder))
    }
    for job in jobs {
      guard let work = try? job.work.get(), case .file(let path) = work.destination else {
        continue
      }
      if let folder = work.stemFolder { add(folder) }
      if work.makesFolders { add(OutputFile.folder(of: path)) }
    }
    self.paths = paths.sorted { $0.utf8.count > $1.utf8.count }
  }

  /// Removes those that are empty, after songs have failed.
  func removeEmpty() {
    for path in paths { rmdir(path.platformString) }
  }
}
