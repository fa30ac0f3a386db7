import Glibc
public import LocalSystem

/// Makes nodes run that are needed.
///
/// Realtime: no. Threads: any.
public struct NodeLauncher: Sendable {
  private let directories: NodeDirectories
  /// What the programs find around them.
  private let variables: [String: String]

  /// - Parameter surroundings: Where manifests and nodes are; its variables are handed to the
  ///   programs that are started, and its `PATH` says where those are.
  public init(_ environment: ProcessEnvironment = .current) {
    directories = NodeDirectories(environment)
    variables = environment.variables
  }

  /// Waits until a node runs and publishes a component, and starts the node by its manifest if it
  /// does not run. However many hosts do this at once, one node is started.
  ///
  /// The program is detached: it outlives this process. Its output goes to `NODE.log` in
  /// ``NodeDirectories/state``.
  ///
  /// When the time is over, a node that has claimed its name is left running: it may be loading
  /// something large, others may already use what it publishes, and the next try finds it further
  /// on. A program that has not claimed the name is killed: no one could ever find it, and each
  /// further try would start one more.
  ///
  /// - Parameters:
  ///   - node: The node's name.
  ///   - limit: The longest to wait, from now.
  /// - Returns: The node, with all that it publishes.
  /// - Throws: ``LaunchError``, at once when the program cannot be started or has ended.
  public func launch(
    _ node: String, publishing component: ComponentDescription, within limit: Duration = .seconds(5)
  ) throws(LaunchError) -> PublishedNode {
    try prepare(node)
    var launch = Launch(node: node, component: component, limit: limit)
    defer { launch.turn?.removeFile() }
    let deadline = ContinuousClock.now + limit
    while true {
      // Asked first: if it has ended because another process has the name, that one is found.
      let ending = launch.program?.ending
      let running = try find(node)
      if let running, running.publishes(component) { return running }
      if running == nil {
        if let ending { throw launch.ended(ending) }
        if launch.program == nil { try start(&launch) }
      }
      if ContinuousClock.now >= deadline { throw launch.overdue(running) }
      // It may be any program, so there is nothing else to wait for; starting one takes longer.
      usleep(5000)
    }
  }

  private func prepare(_ node: String) throws(LaunchError) {
    do {
      try NodeName.check(node)
    } catch {
      throw .node(error)
    }
    do {
      try directories.prepareRuntime()
    } catch {
      throw .directory(error)
    }
  }

  private func find(_ node: String) throws(LaunchError) -> PublishedNode? {
    do {
      return try PublishedNode.find(node, in: directories)
    } catch {
      throw .problem(error)
    }
  }

  /// Starts the program, if it is this host's turn.
  private func start(_ launch: inout Launch) throws(LaunchError) {
    let manifest = try manifest(of: launch.node, listing: launch.component)
    let path = try ProgramSearch.find(manifest.command[0], path: variables["PATH"])
    do {
      if launch.turn == nil {
        launch.turn = try FileLock.exclusive(directories.turnFile(of: launch.node))
      }
    } catch {
      throw .node(error)
    }
    // Another host may have had its turn since the node was looked for.
    guard launch.turn != nil, try find(launch.node) == nil else { return }
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
    let manifest: NodeManifest?
    do {
      manifest = try NodeManifest.find(node, in: directories)
    } catch {
      throw .manifest(error)
    }
    guard let manifest else { throw .noManifest(node: node, folders: directories.manifests) }
    if manifest.lists(component) { return manifest }
    throw .notInManifest(component, file: manifest.file, listed: manifest.ports.map(\.component))
  }
}

/// One wait for a node.
private struct Launch {
  let node: String
  let component: ComponentDescription
  let limit: Duration
  /// Held while the node is started, so that no other host starts it too.
  var turn: FileLock?
  var program: DetachedProgram?
  var log: LaunchLog?

  func ended(_ ending: DetachedProgram.Ending) -> LaunchError {
    .ended(node: node, how: ending.description, log: log?.excerpt)
  }

  /// What to say, and do, when the time is over.
  func overdue(_ running: PublishedNode?) -> LaunchError {
    if let running {
      return .notPublished(
        component, node: node, pid: running.pid, limit: limit,
        published: running.ports.map(\.component))
    }
    guard let program else { return .busy(node: node, limit: limit) }
    program.kill()
    return .notClaimed(node: node, limit: limit, log: log?.excerpt)
  }
}
