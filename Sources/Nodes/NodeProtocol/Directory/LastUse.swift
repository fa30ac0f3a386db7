import Glibc
import LocalSystem

/// The times at which hosts last connected to components, kept between runs.
///
/// A time is the modification time of an empty file, `last-use/NODE/COMPONENT` in ``NodeDirectories/state``. So any
/// number of hosts may record at once, without reading a file that could be corrupt.
///
/// Realtime: no. Threads: any.
public struct LastUse: Sendable {
  private let directories: NodeDirectories

  public init(_ directories: NodeDirectories) { self.directories = directories }

  /// Records that a component of a node is used now.
  ///
  /// - Throws: ``NodeError`` when the time cannot be written. The caller may connect all the same.
  public func record(_ component: ComponentDescription, of node: String) throws(NodeError) {
    try NodeName.check(node)
    do {
      let state = try directories.prepareState()
      try NodeDirectories.create("\(state)/last-use/\(node)", mode: 0o700)
    } catch {
      throw .directory(error)
    }
    guard let file = file(component, of: node) else { return }
    let descriptor: CInt
    do throws(WholeFile.Failure) {
      descriptor = try RegularFile.open(file, O_WRONLY | O_CREAT, mode: 0o600)
    } catch {
      throw .cannotWrite(path: file, code: error.code)
    }
    defer { close(descriptor) }
    if futimens(descriptor, nil) != 0 { throw .cannotWrite(path: file, code: errno) }
  }

  /// Returns the time at which a host last connected to a component.
  ///
  /// - Returns: Seconds since 1970-01-01 00:00 UTC; `nil` if the component was never used.
  public func time(of component: ComponentDescription, of node: String) -> Double? {
    var status = stat()
    guard let file = file(component, of: node), stat(file, &status) == 0 else { return nil }
    return Double(status.st_mtim.tv_sec) + Double(status.st_mtim.tv_nsec) / 1e9
  }

  private func file(_ component: ComponentDescription, of node: String) -> String? {
    // A code may contain a slash. Codes have four characters otherwise, so the names stay unique.
    let name = component.description.replacing("/", with: "%2F")
    return directories.state.map { "\($0)/last-use/\(node)/\(name)" }
  }
}
