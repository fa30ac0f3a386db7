import Glibc
import LocalSystem
import Synchronization

/// Links to files of this machine, for pages that may read them. A link has 128 random bits, so that it needs no other
/// secret, and is forgotten soon.
///
/// Threads: any.
package final class FileLinks: Sendable {
  private let state = Mutex<[String: Link]>([:])

  private struct Link {
    var file: File
    /// Whether the link ends when it is used.
    var isForOneUse: Bool
    var end: ContinuousClock.Instant
  }

  package struct File: Equatable, Sendable {
    package var path: String
    /// The media type.
    package var type: String
    /// The name under which the browser saves the file; `nil`: it shows or plays it.
    package var name: String?
    /// Whether the file is deleted when its link has ended or been used.
    package var isTemporary = false

    package init(path: String, type: String, name: String? = nil, isTemporary: Bool = false) {
      (self.path, self.type, self.name, self.isTemporary) = (path, type, name, isTemporary)
    }
  }

  /// The path of all links.
  package static let path = "/file/"
  /// The greatest number of links. The one that would end first ends instead of a new one.
  package static let limit = 256
  /// How long links are valid: for one use, and for all others after the last use.
  package static let lifetimes = (oneUse: Duration.seconds(60), others: Duration.seconds(3600))

  package init() {}

  /// Returns the path of a new link.
  ///
  /// - Parameter isForOneUse: Otherwise a browser may request parts of the file again and again.
  package func add(
    _ file: File, isForOneUse: Bool, at now: ContinuousClock.Instant = .now
  ) -> String {
    let path = Self.path + makeSecret()
    let ended = state.withLock { links in
      var ended = Self.removeEnded(&links, at: now)
      if links.count >= Self.limit, let first = links.min(by: { $0.value.end < $1.value.end }) {
        ended += [links.removeValue(forKey: first.key)].compactMap { $0?.file }
      }
      let lifetime = isForOneUse ? Self.lifetimes.oneUse : Self.lifetimes.others
      links[path] = Link(file: file, isForOneUse: isForOneUse, end: now + lifetime)
      return ended
    }
    Self.delete(ended)
    return path
  }

  /// Opens the file of a link.
  ///
  /// - Parameter path: The path of a request.
  /// - Returns: A descriptor, which the caller closes; `nil` if there is no such link or file.
  func open(
    _ path: String, at now: ContinuousClock.Instant = .now
  ) -> (file: File, descriptor: CInt, size: Int64)? {
    let (file, isLast, ended): (File?, Bool, [File]) = state.withLock { links in
      let ended = Self.removeEnded(&links, at: now)
      guard let link = links[path] else { return (nil, false, ended) }
      if link.isForOneUse {
        links[path] = nil
      } else {
        links[path]?.end = now + Self.lifetimes.others
      }
      return (link.file, link.isForOneUse, ended)
    }
    Self.delete(ended)
    guard let file else { return nil }
    // Its name is not needed any more.
    defer { if isLast { Self.delete([file]) } }
    let descriptor = Glibc.open(file.path.platformString, O_RDONLY | O_NOFOLLOW | O_CLOEXEC)
    if descriptor < 0 { return nil }
    var information = stat()
    guard fstat(descriptor, &information) == 0, information.st_mode & S_IFMT == S_IFREG else {
      close(descriptor)
      return nil
    }
    return (file, descriptor, Int64(information.st_size))
  }

  /// Ends links.
  package func remove(_ paths: [String]) {
    Self.delete(
      state.withLock { links in paths.compactMap { links.removeValue(forKey: $0)?.file } })
  }

  /// Ends all links.
  package func removeAll() {
    let files = state.withLock { links in
      defer { links = [:] }
      return links.values.map(\.file)
    }
    Self.delete(files)
  }

  private static func removeEnded(
    _ links: inout [String: Link], at now: ContinuousClock.Instant
  ) -> [File] {
    let ended = links.filter { $0.value.end <= now }
    for path in ended.keys { links[path] = nil }
    return ended.values.map(\.file)
  }

  private static func delete(_ files: [File]) {
    for file in files where file.isTemporary { unlink(file.path.platformString) }
  }
}
