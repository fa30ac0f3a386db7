import Glibc
public import LocalSystem

/// Where nodes are described, where running ones are found, and where state is kept.
///
/// Source: *XDG Base Directory Specification 0.8*. A relative path in one of its variables is
/// ignored.
public struct NodeDirectories: Hashable, Sendable {
  /// Folders with manifests, the strongest first: `portative/nodes` in `$XDG_DATA_HOME` (else
  /// `~/.local/share`), then in each of `$XDG_DATA_DIRS` (else `/usr/local/share`, `/usr/share`).
  public let manifests: [String]
  /// The folder of running nodes: `portative` in `$XDG_RUNTIME_DIR`, else in `/run/user/UID` if
  /// that is there, else `/tmp/portative-UID`.
  public let runtime: String
  /// `portative` in `$XDG_STATE_HOME` (else `~/.local/state`); `nil` where there is no home.
  public let state: String?

  public init(_ environment: ProcessEnvironment = .current) {
    let home = environment.folder("XDG_DATA_HOME", inHome: ".local/share")
    let given = environment.variable("XDG_DATA_DIRS")?.split(separator: ":").map(String.init)
    let system = given ?? ["/usr/local/share", "/usr/share"].map { environment.root + $0 }
    let data = ([home].compactMap(\.self) + system).filter { $0.hasPrefix("/") }
    manifests = data.indices.filter { !data[..<$0].contains(data[$0]) }
      .map { "\(data[$0])/portative/nodes" }
    runtime = Self.runtime(environment)
    state = environment.folder("XDG_STATE_HOME", inHome: ".local/state").map { "\($0)/portative" }
  }

  private static func runtime(_ environment: ProcessEnvironment) -> String {
    if let folder = environment.variable("XDG_RUNTIME_DIR"), folder.hasPrefix("/") {
      return "\(folder)/portative"
    }
    let login = "\(environment.root)/run/user/\(geteuid())"
    if access(login, F_OK) == 0 { return "\(login)/portative" }
    return "\(environment.root)/tmp/portative-\(geteuid())"
  }

  /// Makes the ``runtime`` folder if it is not there.
  ///
  /// - Throws: ``DirectoryError``; also when it is there but another user may go into it.
  public func prepareRuntime() throws(DirectoryError) {
    if mkdir(runtime, 0o700) != 0, errno != EEXIST {
      throw .cannotCreate(path: runtime, code: errno)
    }
    _ = try hasRuntime()
  }

  /// Whether the ``runtime`` folder is there.
  ///
  /// In `/tmp` anyone may have made it, and who owns it could pass a program of theirs off as a
  /// node.
  ///
  /// - Throws: ``DirectoryError`` when it is not this user's alone.
  func hasRuntime() throws(DirectoryError) -> Bool {
    var status = stat()
    if lstat(runtime, &status) != 0 {
      if errno == ENOENT { return false }
      throw .unreadable(path: runtime, code: errno)
    }
    let mode = status.st_mode & 0o7777
    if status.st_mode & S_IFMT != S_IFDIR {
      throw .notPrivate(path: runtime, found: "is no folder")
    } else if status.st_uid != geteuid() {
      throw .notPrivate(path: runtime, found: "belongs to user \(status.st_uid)")
    } else if mode & 0o077 != 0 {
      throw .notPrivate(path: runtime, found: "has mode 0\(String(mode, radix: 8))")
    }
    return true
  }

  /// Makes the ``state`` folder if it is not there, and those above it.
  ///
  /// - Returns: Its path.
  func prepareState() throws(DirectoryError) -> String {
    guard let state else { throw .noHome }
    try Self.create(state, mode: 0o700)
    return state
  }

  /// Makes a folder, and those above it.
  ///
  /// - Throws: ``DirectoryError/cannotCreate(path:code:)``, with the first that cannot be made.
  static func create(_ path: String, mode: mode_t) throws(DirectoryError) {
    do throws(WholeFile.Failure) {
      try Folder.create(path, mode: mode)
    } catch {
      throw .cannotCreate(path: path, code: error.code)
    }
  }
}
