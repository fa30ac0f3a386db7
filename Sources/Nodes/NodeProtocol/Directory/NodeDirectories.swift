import Glibc
public import LocalSystem

/// The folders with the manifests of nodes, with the running nodes, and with saved state.
///
/// Source: *XDG Base Directory Specification 0.8*. A relative path in one of its variables is ignored.
public struct NodeDirectories: Hashable, Sendable {
  /// The folders with manifests, in order of precedence: `portative/nodes` in `$XDG_DATA_HOME` (default
  /// `~/.local/share`), then in each of `$XDG_DATA_DIRS` (default `/usr/local/share`, `/usr/share`).
  public let manifests: [String]
  /// The folder of running nodes: `portative` in `$XDG_RUNTIME_DIR`, otherwise in `/run/user/UID` if that exists,
  /// otherwise `/tmp/portative-UID`.
  public let runtime: String
  /// The folder for saved state: `portative` in `$XDG_STATE_HOME` (default `~/.local/state`); `nil` if the user has
  /// no home folder.
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

  /// Creates the ``runtime`` folder if it does not exist.
  ///
  /// - Throws: ``DirectoryError``, also when the folder exists but is accessible to other users.
  public func prepareRuntime() throws(DirectoryError) {
    if mkdir(runtime, 0o700) != 0, errno != EEXIST {
      throw .cannotCreate(path: runtime, code: errno)
    }
    _ = try hasRuntime()
  }

  /// Returns whether the ``runtime`` folder exists.
  ///
  /// The owner and mode are checked because any user can create the folder in `/tmp` and could then impersonate a node.
  ///
  /// - Throws: ``DirectoryError`` when the folder is not private to this user.
  func hasRuntime() throws(DirectoryError) -> Bool {
    var status = stat()
    if lstat(runtime, &status) != 0 {
      if errno == ENOENT { return false }
      throw .unreadable(path: runtime, code: errno)
    }
    let mode = status.st_mode & 0o7777
    if status.st_mode & S_IFMT != S_IFDIR {
      throw .notPrivate(path: runtime, found: "is not a folder")
    } else if status.st_uid != geteuid() {
      throw .notPrivate(path: runtime, found: "belongs to user \(status.st_uid)")
    } else if mode & 0o077 != 0 {
      throw .notPrivate(path: runtime, found: "has mode 0\(String(mode, radix: 8))")
    }
    return true
  }

  /// Creates the ``state`` folder and its ancestors if they do not exist.
  ///
  /// - Returns: The path of the folder.
  func prepareState() throws(DirectoryError) -> String {
    guard let state else { throw .noHome }
    try Self.create(state, mode: 0o700)
    return state
  }

  /// Creates a folder and its ancestors if they do not exist.
  ///
  /// - Throws: ``DirectoryError/cannotCreate(path:code:)`` with the first folder that cannot be created.
  static func create(_ path: String, mode: mode_t) throws(DirectoryError) {
    do throws(WholeFile.Failure) {
      try Folder.create(path, mode: mode)
    } catch {
      throw .cannotCreate(path: path, code: error.code)
    }
  }
}

extension NodeDirectories {
  /// Removes files that killed hosts and nodes have left in the ``runtime`` folder: locks of hosts that were launching
  /// a node, and partially written lists of ports. ``PublishedNode/find(_:in:)`` removes the files of a node itself.
  func clearRuntime() {
    for name in (try? Folder.names(in: runtime)) ?? [] {
      let path = "\(runtime)/\(name)"
      if name.hasSuffix(".turn") {
        _ = FileLock.isHeld(path) { _ in unlink(path.platformString) }
      } else if name.hasPrefix("."), name.hasSuffix(".partial"), Self.age(of: path) > 60 {
        // Writing a list takes milliseconds, so an old partial file is abandoned.
        unlink(path.platformString)
      }
    }
  }

  /// Returns the seconds since a file was written; 0 if it does not exist.
  private static func age(of path: String) -> Int {
    var (status, now) = (stat(), timespec())
    guard lstat(path.platformString, &status) == 0 else { return 0 }
    clock_gettime(CLOCK_REALTIME, &now)
    return now.tv_sec - status.st_mtim.tv_sec
  }
}

extension NodeDirectories {
  /// The maximum length of a socket path in bytes: the size of `sun_path`, without the terminating NUL.
  public static let maximumSocketPathLength = MemoryLayout.size(ofValue: sockaddr_un().sun_path) - 1

  /// Returns the path of the socket at which a node listens.
  ///
  /// - Throws: ``NodeError/badName(_:remedy:)``, ``NodeError/socketPathTooLong(path:limit:)``
  public func socketPath(of name: String) throws(NodeError) -> String {
    try NodeName.check(name)
    let path = "\(runtime)/\(name).socket"
    if path.utf8.count > Self.maximumSocketPathLength {
      throw .socketPathTooLong(path: path, limit: Self.maximumSocketPathLength)
    }
    return path
  }

  func lockFile(of name: String) -> String { "\(runtime)/\(name).lock" }
  /// Returns the path of the file that is locked by a host while it launches the node.
  func launchLockFile(of name: String) -> String { "\(runtime)/\(name).turn" }
  func publishedFile(of name: String) -> String { "\(runtime)/\(name).json" }
}
