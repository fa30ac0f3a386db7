import LocalSystem

/// The reason why a node cannot run or cannot publish its ports.
public enum NodeError: Error, Equatable, Sendable, CustomStringConvertible {
  case badName(String, remedy: String)
  /// Another process has the name. `processID` is `nil` if that process has not written its process ID yet.
  case nodeIsRunning(name: String, processID: Int32?)
  case socketPathTooLong(path: String, limit: Int)
  case directory(DirectoryError)
  /// `code` is an `errno`.
  case cannotWrite(path: String, code: CInt)
  case publishedTwice(ComponentDescription)
  case closed(name: String)

  public var description: String {
    switch self {
    case .badName(let name, let remedy):
      "a node cannot be named '\(name.quotable)': \(remedy)"
    case .nodeIsRunning(let name, let processID):
      "the node '\(name)' is already running\(processID.map { " as process \($0)" } ?? ""): "
        + "stop it first, or use another name"
    case .socketPathTooLong(let path, let limit):
      "the socket path '\(path)' has \(path.utf8.count) bytes, but the limit is \(limit): "
        + "use a shorter name for the node, or a shorter XDG_RUNTIME_DIR"
    case .directory(let error): error.description
    case .cannotWrite(let path, let code):
      "cannot write '\(path)': \(RegularFile.reason(code, remedy: "remove it"))"
    case .publishedTwice(let component):
      "the component '\(component)' is published twice: "
        + "give one of its ports another type or subtype"
    case .closed(let name):
      "the node '\(name)' is closed and publishes nothing: claim its name again"
    }
  }
}
