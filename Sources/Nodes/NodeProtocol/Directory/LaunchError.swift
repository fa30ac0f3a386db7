import LocalSystem

/// The reason why a node could not be launched, or does not publish the requested component.
public enum LaunchError: Error, Equatable, Sendable, CustomStringConvertible {
  /// The node does not run, and none of `folders` has a manifest for it.
  case noManifest(node: String, folders: [String])
  case manifest(ManifestError)
  /// The node does not run, and its manifest does not list the component.
  case notInManifest(ComponentDescription, file: String, listed: [ComponentDescription])
  /// `path` is the value of `PATH`; `nil` if the manifest gives the program's absolute path.
  case programNotFound(program: String, path: String?)
  case notExecutable(program: String)
  /// `code` is the `errno` of executing the program.
  case cannotStart(program: String, code: CInt)
  /// The program ended before it published the component; `how` is `exited with status 1` or `was ended by signal 9`.
  case ended(node: String, how: String, log: LogExcerpt?)
  /// The program ran until the limit without claiming the node's name, and was killed.
  case notClaimed(node: String, limit: Duration, log: LogExcerpt?)
  /// The node runs and is left running, but has not published the component.
  case notPublished(
    ComponentDescription, node: String, processID: Int32, limit: Duration,
    published: [ComponentDescription])
  /// Another host was launching the node until the limit passed.
  case busy(node: String, limit: Duration)
  case node(NodeError)
  case problem(ComponentProblem)
  case directory(DirectoryError)
  case noLog(path: String, code: CInt)

  /// The last lines of a node's log, and the log's path.
  public struct LogExcerpt: Equatable, Sendable {
    public let path: String
    public let lines: [String]
  }
}

extension LaunchError {
  public var description: String {
    switch self {
    case .noManifest(let node, let folders):
      return "the node '\(node)' is not running, and no manifest says how to start it: start it, "
        + "or put \(node).json into \(folders.first ?? "a folder of XDG_DATA_DIRS")"
    case .manifest(let error): return error.description
    case .notInManifest(let component, let file, let listed):
      return "no node publishes '\(component)', and the manifest '\(file)' lists only "
        + Self.list(listed) + ": choose one of those"
    case .programNotFound(let program, let path?):
      return "the program '\(program)' is not in PATH, which is '\(path)': install it, or write "
        + "its absolute path into the manifest's command"
    case .programNotFound(let program, nil):
      return
        "the program '\(program)' does not exist: install it, or correct the manifest's command"
    case .notExecutable(let program):
      return "the program '\(program)' is not executable: make it executable (chmod +x)"
    case .cannotStart(let program, let code):
      return "cannot start the program '\(program)': \(errnoDescription(code))"
    case .ended(let node, let how, let log):
      return "the node '\(node)' \(how) before it was ready\(Self.quote(log))"
    case .notClaimed(let node, let limit, let log):
      return "the program of the node '\(node)' did not claim that name within "
        + "\(Self.seconds(limit)), and was killed\(Self.quote(log))"
    case .notPublished(let component, let node, let processID, let limit, let published):
      let found = published.isEmpty ? "nothing" : "only \(Self.list(published))"
      return "the node '\(node)' (process \(processID)) did not publish '\(component)' within "
        + "\(Self.seconds(limit)), but \(found); it is still running: try again, or stop it with "
        + "'kill \(processID)'"
    case .busy(let node, let limit):
      return
        "another host has been starting the node '\(node)' for \(Self.seconds(limit)): try again"
    case .node(let error): return error.description
    case .problem(let problem): return problem.description
    case .directory(let error): return error.description
    case .noLog(let path, let code):
      let reason = RegularFile.reason(code, remedy: "remove it")
      return "cannot write the node's log '\(path)': \(reason)"
    }
  }

  private static func list(_ components: [ComponentDescription]) -> String {
    components.map { "'\($0)'" }.joined(separator: ", ")
  }

  private static func quote(_ log: LogExcerpt?) -> String {
    guard let log else { return "" }
    if log.lines.isEmpty { return "; it wrote nothing to its log '\(log.path)'" }
    return "; the last lines of its log '\(log.path)':\n"
      + log.lines.map { "  \($0)" }.joined(separator: "\n")
  }

  private static func seconds(_ limit: Duration) -> String {
    let tenths = (limit / .milliseconds(100)).rounded() / 10
    return tenths == tenths.rounded() ? "\(Int(tenths)) s" : "\(tenths) s"
  }
}
