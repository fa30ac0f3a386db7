import FoundationEssentials
import Glibc
import LocalSystem
import TestSupport
import Testing

@testable import NodeProtocol

@Test func `manifests are the user's first, then the system's`() {
  let system = TemporarySystem()
  let root = system.root
  #expect(
    NodeDirectories(system.environment).manifests == [
      "\(root)/home/.local/share/portative/nodes", "\(root)/usr/local/share/portative/nodes",
      "\(root)/usr/share/portative/nodes",
    ])
  system.environment.variables["XDG_DATA_HOME"] = "/a"
  system.environment.variables["XDG_DATA_DIRS"] = "/b:relative::/a:/c"
  #expect(
    NodeDirectories(system.environment).manifests
      == ["/a", "/b", "/c"].map { "\($0)/portative/nodes" })
}

@Test func `state is in the user's folder, and nowhere without a home`() throws {
  let system = TemporarySystem()
  let directories = NodeDirectories(system.environment)
  #expect(directories.state == "\(system.root)/home/.local/state/portative")
  #expect(try directories.prepareState() == directories.state)
  #expect(access(directories.state ?? "", W_OK) == 0)
  system.environment.variables["XDG_STATE_HOME"] = "/state"
  #expect(NodeDirectories(system.environment).state == "/state/portative")
  let homeless = NodeDirectories(ProcessEnvironment(variables: [:]))
  #expect(homeless.state == nil)
  #expect(throws: DirectoryError.noHome) { try homeless.prepareState() }
}

@Test func `running nodes are in the runtime folder, else the login session's, else in tmp`() throws
{
  let system = TemporarySystem()
  let root = system.root
  #expect(NodeDirectories(system.environment).runtime == "\(root)/tmp/portative-\(geteuid())")
  try system.add("run/user/\(geteuid())/x", "")
  #expect(
    NodeDirectories(system.environment).runtime == "\(root)/run/user/\(geteuid())/portative")
  system.environment.variables["XDG_RUNTIME_DIR"] = "relative"
  #expect(
    NodeDirectories(system.environment).runtime == "\(root)/run/user/\(geteuid())/portative")
  system.environment.variables["XDG_RUNTIME_DIR"] = "/runtime"
  #expect(NodeDirectories(system.environment).runtime == "/runtime/portative")
}

@Test func `the runtime folder is created for its user only`() throws {
  let nodes = try TemporaryNodes()
  let directories = nodes.directories
  #expect(try !directories.hasRuntime())
  for _ in 1...2 { try directories.prepareRuntime() }
  var status = stat()
  #expect(stat(directories.runtime, &status) == 0 && status.st_mode & 0o7777 == 0o700)
  #expect(try directories.hasRuntime())
}

@Test func `a runtime folder that is open to others is refused, and so is a link`() throws {
  let nodes = try TemporaryNodes()
  let runtime = nodes.directories.runtime
  func refusal() -> DirectoryError? {
    #expect(throws: DirectoryError.self) { try nodes.directories.prepareRuntime() }
  }
  #expect(mkdir(runtime, 0o700) == 0 && chmod(runtime, 0o750) == 0)
  #expect(refusal() == .notPrivate(path: runtime, found: "has mode 0750"))
  #expect(
    refusal()?.description
      == "the folder '\(runtime)' has mode 0750, but must be accessible only to you (mode "
      + "0700), because nodes are found there: remove it, or set XDG_RUNTIME_DIR to a folder of your own"
  )
  #expect(rmdir(runtime) == 0 && symlink("/root", runtime) == 0)
  #expect(refusal() == .notPrivate(path: runtime, found: "is not a folder"))
}

@Test(.enabled(if: geteuid() == 0, "only root gives folders away"))
func `a runtime folder of another user is refused`() throws {
  let nodes = try TemporaryNodes()
  let runtime = nodes.directories.runtime
  #expect(mkdir(runtime, 0o700) == 0 && chown(runtime, 1234, 1234) == 0)
  #expect(throws: DirectoryError.notPrivate(path: runtime, found: "belongs to user 1234")) {
    try nodes.directories.prepareRuntime()
  }
}

@Test func `states that the parent folder does not exist`() throws {
  let system = TemporarySystem()
  system.environment.variables["XDG_RUNTIME_DIR"] = "\(system.root)/none"
  let directories = NodeDirectories(system.environment)
  #expect(throws: DirectoryError.cannotCreate(path: directories.runtime, code: ENOENT)) {
    try directories.prepareRuntime()
  }
  try system.add("file", "")
  #expect(throws: DirectoryError.cannotCreate(path: "\(system.root)/file/a/b", code: ENOTDIR)) {
    try NodeDirectories.create("\(system.root)/file/a/b", mode: 0o700)
  }
}

@Test func `a socket's path fits into its address`() throws {
  #expect(NodeDirectories.maximumSocketPathLength == 107)
  let name = "organ"
  func directories(_ length: Int) -> NodeDirectories {
    let folder =
      "/" + String(repeating: "x", count: length - "/\("/portative/organ.socket")".utf8.count)
    return NodeDirectories(ProcessEnvironment(variables: ["XDG_RUNTIME_DIR": folder]))
  }
  #expect(try directories(107).socketPath(of: name).utf8.count == 107)
  let error = #expect(throws: NodeError.self) { try directories(108).socketPath(of: name) }
  #expect(
    error?.description.hasSuffix(
      "has 108 bytes, but the limit is 107: use a shorter name for the node, or a shorter "
        + "XDG_RUNTIME_DIR") == true)
}

@Test(arguments: ["", ".hidden", "..", "a/b", "a\nb", String(repeating: "x", count: 65)])
func `a node's name is valid in a file's name`(name: String) throws {
  let directories = NodeDirectories(ProcessEnvironment(variables: ["XDG_RUNTIME_DIR": "/r"]))
  let error = #expect(throws: NodeError.self) { try directories.socketPath(of: name) }
  guard case .badName(name, _) = error else {
    Issue.record("\(String(describing: error))")
    return
  }
}
