import Glibc
import LocalSystem

/// When a host last connected to a component, remembered from one run to the next.
///
/// The time is that of an empty file, `last-use/NODE/COMPONENT` in ``NodeDirectories/state``. So
/// any number of hosts may record at once, and nothing has to be read, or can be broken, to do it.
///
/// Realtime: no. Threads: any.
public struct LastUse: Sendable {
  private let directories: NodeDirectories

  public init(_ directories: NodeDirectories) { self.directories = directories }

  /// Remembers that `component` of the node of that name is used now.
  ///
  /// - Throws: ``NodeError`` when that cannot be kept; no reason not to connect.
  public func record(_ component: ComponentDescription, of node: String) throws(NodeError) {
    try NodeName.check(node)
    do {
      let state = try directories.prepareState()
      try NodeDirectories.create("\(state)/last-use/\(node)", mode: 0o700)
    } catch {
      throw .directory(error)
    }
    guard let file = file(component, of: node) else { return }
    let descriptor = open(file, O_WRONLY | O_CREAT | O_CLOEXEC, 0o600)
    if descriptor < 0 { throw .cannotWrite(path: file, code: errno) }
    defer { close(descriptor) }
    if futimens(descriptor, nil) != 0 { throw .cannotWrite(path: file, code: errno) }
  }

  /// - Returns: Seconds since the beginning of 1970, in universal time; `nil` if it was never used.
  public func time(of component: ComponentDescription, of node: String) -> Double? {
    var status = stat()
    guard let file = file(component, of: node), stat(file, &status) == 0 else { return nil }
    return Double(status.st_mtim.tv_sec) + Double(status.st_mtim.tv_nsec) / 1e9
  }

  private func file(_ component: ComponentDescription, of node: String) -> String? {
    // A code may have a slash. It has four characters otherwise, so no two are written alike.
    let name = component.description.replacing("/", with: "%2F")
    return directories.state.map { "\($0)/last-use/\(node)/\(name)" }
  }
}
