import FoundationEssentials
import Glibc
import LocalSystem
import TestSupport
import Testing

@testable import NodeProtocol

extension TemporaryNodes {
  /// Adds a manifest of ports `org1` and `org2`, and its program.
  ///
  /// - Returns: The path of the manifest.
  @discardableResult
  fileprivate func addNode(_ name: String, _ lines: String) throws -> String {
    try addManifest(name, program: addScript(name, lines))
  }

  @discardableResult
  fileprivate func addManifest(_ name: String, program: String) throws -> String {
    let manifest = try NodeManifest(
      name: name, command: [program, "serve"], ports: [port("org1"), port("org2")])
    try manifest.write(to: directories.manifests[0])
    return "\(directories.manifests[0])/\(name).json"
  }

  fileprivate func launch(
    _ name: String, _ subtype: String = "org1", within limit: Duration = .seconds(20)
  ) throws -> PublishedNode {
    try NodeLauncher(system.environment).launch(
      name, publishing: component(subtype), within: limit)
  }

  /// Returns the error of a launch, or `nil` if it succeeds.
  fileprivate func failure(
    _ name: String, _ subtype: String = "org1", within limit: Duration = .seconds(20)
  ) -> LaunchError? {
    #expect(throws: LaunchError.self) { try launch(name, subtype, within: limit) }
  }

  fileprivate var logFile: String { "\(system.root)/home/.local/state/portative/organ.log" }

  /// The number of starts of a program that writes a line to `starts`.
  fileprivate var starts: Int {
    let text = try? String(contentsOfFile: "\(system.root)/starts", encoding: .utf8)
    return text?.split(separator: "\n").count ?? 0
  }
}

@Test func `starts a node and waits until it publishes the requested component`() throws {
  let nodes = try TemporaryNodes()
  // The second port is published later.
  let script = try nodes.nodeScript("organ", ports: [port("org1")])
  let all = try nodes.nodeScript("organ", ports: [port("org1"), port("org2")])
  try nodes.addNode(
    "organ",
    script.replacing("exec sleep 60", with: "sleep 0.1")
      + all.split(separator: "\n").filter { !$0.contains("flock") && !$0.contains("exec 9") }
      .joined(separator: "\n"))
  let node = try nodes.launch("organ", "org2")
  #expect(node.ports == [try port("org1"), try port("org2")])
  #expect(RunningNode.all(in: nodes.directories) == [node])
}

@Test func `uses a node that already runs`() throws {
  let nodes = try TemporaryNodes()
  let running = try RunningNode.claim("organ", in: nodes.directories)
  try running.publish([port("org1")])
  // This needs neither a manifest nor a program.
  #expect(try nodes.launch("organ").processID == getpid())
  running.close()
}

@Test func `many hosts at once start one node`() throws {
  let nodes = try TemporaryNodes()
  try nodes.addNode(
    "organ",
    "echo started >>'\(nodes.system.root)/starts'\nsleep 0.1\n"
      + nodes.nodeScript("organ", ports: [port("org1")]))
  let environment = nodes.system.environment
  let component = try component("org1")
  let pids = Numbers()
  let hosts = (1...8).map { _ in
    TestThread {
      let node = try? NodeLauncher(environment).launch(
        "organ", publishing: component, within: .seconds(20))
      pids.add(node?.processID ?? 0)
    }
  }
  for host in hosts { host.join() }
  #expect(pids.values.count == 8)
  #expect(Set(pids.values).count == 1 && !pids.values.contains(0))
  #expect(nodes.starts == 1)
}

@Test func `starts a node again that was killed`() throws {
  let nodes = try TemporaryNodes()
  try nodes.addNode("organ", nodes.nodeScript("organ", ports: [port("org1")]))
  let first = try nodes.launch("organ").processID
  kill(first, SIGKILL)
  try wait { RunningNode.all(in: nodes.directories).isEmpty }
  #expect(try nodes.launch("organ").processID != first)
}

@Test func `accepts a node that another process starts meanwhile`() throws {
  let nodes = try TemporaryNodes()
  let (root, directories, ports) = (nodes.system.root, nodes.directories, [try port("org1")])
  // The program finds its name claimed and fails.
  try nodes.addNode(
    "organ",
    """
    cd '\(root)'; echo $$ >pid; mv pid begun
    while [ -e begun ] && [ ! -e taken ]; do sleep 0.01; done; exit 3
    """)
  let holders = Holders()
  let other = TestThread {
    try? wait { access("\(root)/begun", F_OK) == 0 }
    guard let node = try? RunningNode.claim("organ", in: directories),
      let text = try? String(contentsOfFile: "\(root)/begun", encoding: .utf8),
      let program = pid_t(text.dropLast())
    else { return }
    holders.add(node)
    close(creat("\(root)/taken", 0o600))
    // The process exists until the launcher has read its exit status.
    try? wait { kill(program, 0) != 0 }
    try? node.publish(ports)
  }
  #expect(try nodes.launch("organ").processID == getpid())
  other.join()
}

@Test func `states that there is no way to start a node`() throws {
  let nodes = try TemporaryNodes()
  let folder = nodes.directories.manifests[0]
  #expect(
    nodes.failure("organ")?.description
      == "the node 'organ' is not running, and no manifest says how to start it: start it, or put "
      + "organ.json into \(folder)")
  let file = try nodes.addManifest("organ", program: "organ")
  #expect(
    nodes.failure("organ", "org3")?.description
      == "no node publishes 'instrument org3 Ptvo', and the manifest '\(file)' lists only 'instrument "
      + "org1 Ptvo', 'instrument org2 Ptvo': choose one of those")
  try nodes.system.add("home/.local/share/portative/nodes/organ.json", "{")
  #expect(
    nodes.failure("organ")
      == .manifest(
        .unusable(
          file: file,
          reason: "line 1, column 2: the file ends before the '}' of the '{' at line 1, column 1")))
  #expect(
    nodes.failure("../organ")
      == .node(.badName("../organ", remedy: "do not start it with '.'")))
}

@Test func `states that the program is missing, not executable or invalid`() throws {
  let nodes = try TemporaryNodes()
  try nodes.addManifest("organ", program: "no-such-organ")
  #expect(
    nodes.failure("organ")?.description
      == "the program 'no-such-organ' is not in PATH, which is "
      + "'\(nodes.system.root)/bin:/usr/bin:/bin': install it, or write its absolute path into the "
      + "manifest's command")
  let file = try nodes.system.add("bin/plain", "text")
  for program in ["plain", file] {
    try nodes.addManifest("organ", program: program)
    #expect(
      nodes.failure("organ")?.description
        == "the program '\(file)' is not executable: make it executable (chmod +x)")
  }
  #expect(chmod(file, 0o755) == 0)
  #expect(
    nodes.failure("organ")?.description
      == "cannot start the program '\(file)': Exec format error")
  #expect(nodes.starts == 0)
}

@Test func `states immediately how a program ended, with the last lines of its log`() throws {
  let nodes = try TemporaryNodes()
  try nodes.addNode("organ", "echo 'no sound card' >&2; exit 7")
  #expect(
    nodes.failure("organ")?.description
      == "the node 'organ' exited with status 7 before it was ready; the last lines of its log "
      + "'\(nodes.logFile)':\n  no sound card")
  try nodes.addNode("organ", "kill -SEGV $$")
  #expect(
    nodes.failure("organ")?.description
      == "the node 'organ' was ended by signal 11 before it was ready; it wrote nothing to its log "
      + "'\(nodes.logFile)'")
}

@Test func `a node that publishes something else in time continues to run`() throws {
  let nodes = try TemporaryNodes()
  try nodes.addNode("organ", nodes.nodeScript("organ", ports: [port("org1")]))
  let pid = try nodes.launch("organ", "org1").processID
  #expect(
    nodes.failure("organ", "org2", within: .milliseconds(100))?.description
      == "the node 'organ' (process \(pid)) did not publish 'instrument org2 Ptvo' within 0.1 s, but "
      + "only 'instrument org1 Ptvo'; it is still running: try again, or stop it with 'kill \(pid)'"
  )
  #expect(RunningNode.all(in: nodes.directories).map(\.processID) == [pid])
}

@Test func `a program that does not become the node in time is killed`() throws {
  let nodes = try TemporaryNodes()
  try nodes.addNode(
    "organ", "echo $$ >'\(nodes.system.root)/starts'; echo 'loading…'; sleep 60; exit")
  #expect(
    nodes.failure("organ", within: .seconds(1))?.description
      == "the program of the node 'organ' did not claim that name within 1 s, and was killed; the last "
      + "lines of its log '\(nodes.logFile)':\n  loading…")
  let text = try String(contentsOfFile: "\(nodes.system.root)/starts", encoding: .utf8)
  let pid = try #require(text.split(separator: "\n").first.flatMap { pid_t($0) })
  try wait { kill(pid, 0) != 0 && errno == ESRCH }
}

@Test func `states that another host has been starting the node for too long`() throws {
  let nodes = try TemporaryNodes()
  try nodes.addNode("organ", "echo started >>'\(nodes.system.root)/starts'")
  try nodes.directories.prepareRuntime()
  let turn = try FileLock.exclusive(nodes.directories.launchLockFile(of: "organ"))
  #expect(
    nodes.failure("organ", within: .milliseconds(50))?.description
      == "another host has been starting the node 'organ' for 0.1 s: try again")
  #expect(turn != nil && nodes.starts == 0)
}

@Test func `ignores nodes in a runtime folder that is open to other users`() throws {
  let nodes = try TemporaryNodes()
  let runtime = nodes.directories.runtime
  #expect(mkdir(runtime, 0o700) == 0 && chmod(runtime, 0o777) == 0)
  #expect(
    nodes.failure("organ") == .directory(.notPrivate(path: runtime, found: "has mode 0777")))
}
