package import AudioFile
import LocalSystem
import Synchronization

/// Which files a run may replace.
///
/// Those that the user named with `--output`, those that Portative wrote and nobody has changed since, and those that
/// the report of an earlier run lists; all with `--overwrite`. Never one that this run has written itself: on a
/// file system that does not tell upper from lower case, two songs may come to one file.
///
/// Threads: any.
package final class ReplacePolicy: Sendable {
  private let overwrites: Bool
  private let earlier: PreviousResults?
  private struct State {
    /// Read when it is asked for.
    package var listed: Set<[CChar]>?
    package var written: Set<FileIdentity> = []
  }
  private let state = Mutex(State())

  package init(overwrites: Bool, earlier: PreviousResults?) {
    self.overwrites = overwrites
    self.earlier = earlier
  }

  /// - Parameters:
  ///   - root: The folder that the file must be in.
  ///   - isNamed: Whether the user named the very file.
  package func rules(root: String?, isNamed: Bool = false) -> OutputRules {
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
      return listed.contains(SongPath.plain(path))
    }
  }
}
