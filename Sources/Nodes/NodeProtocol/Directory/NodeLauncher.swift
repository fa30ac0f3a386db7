import Glibc
public import LocalSystem

/// Starts nodes by their manifests.
///
/// The environment of a started program has `PORTATIVE_LAUNCHED=1`.
///
/// Realtime: no. Threads: any.
public struct NodeLauncher: Sendable {
  private let directories: NodeDirectories
  /// The environment variables of the started programs.
  private let variables: [String: String]

  private static let launchVariable = "PORTATIVE_LAUNCHED"

  /// Whether a launcher started this process.
  package static let hasLaunchedThisProcess = getenv(launchVariable) != nil

  /// Creates a launcher.
  ///
  /// - Parameter environment: Determines the folders of manifests and running nodes. Its variables are passed to the
  ///   started programs, and its `PATH` is searched for them.
  public init(_ environment: ProcessEnvironment = .current) {
    directories = NodeDirectories(environment)
    variables = environment.variables.merging([Self.launchVariable: "1"]) { $1 }
  }

  /// Waits until a node publishes a component, and starts the node by its manifest if it does not run. If several hosts
  /// call this at once, only one node is started.
  ///
  /// The program is detached: it outlives this process. Its output is written to `NODE.log` in
  /// ``NodeDirectories/state``.
  ///
  /// When the limit has passed, a node that has claimed its name is left running: it may be loading large files, and
  /// other hosts may already use its ports. A program that has not claimed the name is killed, because hosts could not
  /// find it and every further call would start another one.
  ///
  /// - Parameters:
  ///   - node: The node's name.
  ///   - component: The component that the node must publish.
  ///   - limit: The longest wait, from the call.
  /// - Returns: The node with all its published ports.
  /// - Throws: ``LaunchError``, immediately when the program cannot be started or has ended.
  public func launch(
    _ node: String, publishing component: ComponentDescription, within limit: Duration = .seconds(5)
  ) throws(LaunchError) -> PublishedNode {
    try mapError(NodeName.check(node), LaunchError.node)
    try mapError(directories.prepareRuntime(), LaunchError.directory)
    var launch = Launch(node: node, component: component, limit: limit)
    defer { launch.lock?.removeFile() }
    let deadline = ContinuousClock.now + limit
    while true {
      // Read before the search: if the program ended because another process has the name, the search finds that
      // process.
      let ending = launch.program?.ending
      let running = try find(node)
      if let running, running.publishes(component) { return running }
      if running == nil {
        if let ending { throw launch.ended(ending) }
        if launch.program == nil { try start(&launch) }
      }
      if ContinuousClock.now >= deadline { throw launch.timedOut(running) }
      // Polls, because an arbitrary program gives no other signal. Starting a program takes longer than 5 ms.
      usleep(5000)
    }
  }

  private func find(_ node: String) throws(LaunchError) -> PublishedNode? {
    try mapError(PublishedNode.find(node, in: directories), LaunchError.problem)
  }

  /// Starts the program, unless another host is launching the node.
  private func start(_ launch: inout Launch) throws(LaunchError) {
    let manifest = try manifest(of: launch.node, listing: launch.component)
    let path = try ProgramSearch.find(manifest.command[0], path: variables["PATH"])
    if launch.lock == nil {
      let file = directories.launchLockFile(of: launch.node)
      launch.lock = try mapError(FileLock.exclusive(file), LaunchError.node)
    }
    // Another host may have launched the node since the last search.
    guard launch.lock != nil, try find(launch.node) == nil else { return }
    let log = try LaunchLog(node: launch.node, in: directories)
    launch.log = log
    do {
      launch.program = try DetachedProgram(
        path, arguments: manifest.command, variables: variables, log: log.descriptor)
    } catch {
      throw .cannotStart(program: path, code: error.code)
    }
  }

  private func manifest(
    of node: String, listing component: ComponentDescription
  ) throws(LaunchError) -> NodeManifest {
    let manifest = try mapError(NodeManifest.find(node, in: directories), LaunchError.manifest)
    guard let manifest else { throw .noManifest(node: node, folders: directories.manifests) }
    if manifest.lists(component) { return manifest }
    throw .notInManifest(component, file: manifest.file, listed: manifest.ports.map(\.component))
  }
}

/// The state of one call of ``NodeLauncher/launch(_:publishing:within:)``.
private struct Launch {
  let node: String
  let component: ComponentDescription
  let limit: Duration
  /// Held while the node is launched, so that no other host starts it too.
  var lock: FileLock?
  var program: DetachedProgram?
  var log: LaunchLog?

  func ended(_ ending: DetachedProgram.Ending) -> LaunchError {
    .ended(node: node, how: ending.description, log: log?.excerpt)
  }

  /// Returns the error for a launch whose limit has passed. Kills a program that has not claimed the node's name.
  func timedOut(_ running: PublishedNode?) -> LaunchError {
    if let running {
      return .notPublished(
        component, node: node, processID: running.processID, limit: limit,
        published: running.ports.map(\.component))
    }
    guard let program else { return .busy(node: node, limit: limit) }
    program.kill()
    return .notClaimed(node: node, limit: limit, log: log?.excerpt)
  }
}

/// The log of a launched node: its standard output and error, in `NODE.log` in the state folder.
///
/// The log of the previous launch is kept as `NODE.log.1`, because it may show why that launch ended. A node limits its log itself:
/// ``LogLimit``.
final class LaunchLog {
  let path: String
  let descriptor: CInt

  /// Starts a new log.
  ///
  /// - Throws: ``LaunchError/noLog(path:code:)``, ``LaunchError/directory(_:)``
  init(node: String, in directories: NodeDirectories) throws(LaunchError) {
    path = "\(try mapError(directories.prepareState(), LaunchError.directory))/\(node).log"
    rename(path, "\(path).1")
    do throws(WholeFile.Failure) {
      descriptor = try Self.open(path)
    } catch {
      throw .noLog(path: path, code: error.code)
    }
  }

  deinit { close(descriptor) }

  /// Opens an empty file.
  static func open(_ path: String) throws(WholeFile.Failure) -> CInt {
    // O_APPEND keeps the program and its children from overwriting each other's output.
    try RegularFile.open(path, O_RDWR | O_CREAT | O_TRUNC | O_APPEND, mode: 0o600)
  }

  /// The last 5 lines at most, of up to 200 characters each, for an error message.
  var excerpt: LaunchError.LogExcerpt {
    var bytes = [UInt8](repeating: 0, count: 2048)
    let start = max(0, lseek(descriptor, 0, SEEK_END) - bytes.count)
    let count = max(0, pread(descriptor, &bytes, bytes.count, start))
    let lines = String(decoding: bytes[..<count], as: UTF8.self).split(whereSeparator: \.isNewline)
    return LaunchError.LogExcerpt(
      path: path, lines: lines.suffix(5).map { String(String($0).printable.prefix(200)) })
  }
}
