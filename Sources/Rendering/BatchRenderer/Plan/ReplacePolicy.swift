import AudioFile
import LocalSystem
import Synchronization

/// The rules for replacing existing files in a run.
///
/// A run may replace files that the user named with `--output`, files that are unchanged since Portative wrote them,
/// and files that the report of an earlier run lists; with `--overwrite`, any file. Except for files named with
/// `--output`, it never replaces a file that it has written itself: on a file system that ignores case, the outputs of
/// two songs may be one file.
///
/// Threads: any.
final class ReplacePolicy: Sendable {
  private let overwrites: Bool
  private let earlier: PreviousResults?
  private struct State {
    /// Loaded at the first use.
    var listed: Set<[CChar]>?
    var written: Set<FileIdentity> = []
  }
  private let state = Mutex(State())

  init(overwrites: Bool, earlier: PreviousResults?) {
    self.overwrites = overwrites
    self.earlier = earlier
  }

  /// Returns the rules for one file.
  ///
  /// - Parameters:
  ///   - root: The folder that must contain the file; `nil`: any folder.
  ///   - isNamed: Whether the user named this file with `--output`.
  func rules(root: String?, isNamed: Bool = false) -> OutputRules {
    OutputRules(root: root) { path, isOwn in
      if isNamed { return true }
      if self.hasWritten(path) { return false }
      return isOwn || self.overwrites || self.isListed(path)
    } didWrite: { path in
      if let identity = FileIdentity(path) {
        self.state.withLock { _ = $0.written.insert(identity) }
      }
    }
  }

  private func hasWritten(_ path: String) -> Bool {
    guard let identity = FileIdentity(path) else { return false }
    return state.withLock { $0.written.contains(identity) }
  }

  private func isListed(_ path: String) -> Bool {
    state.withLock { state in
      let listed = state.listed ?? earlier?.writtenFiles() ?? []
      state.listed = listed
      return listed.contains(SongPath.normalized(path))
    }
  }
}
