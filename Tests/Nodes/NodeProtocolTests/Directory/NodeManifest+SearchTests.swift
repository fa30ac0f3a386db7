import TestSupport
import Testing

@testable import NodeProtocol

@Test func `the first manifest of a name hides the others, even when it is broken`() throws {
  let nodes = try TemporaryNodes()
  let folders = nodes.directories.manifests
  for (folder, program) in zip(folders, ["first", "second", "third"]) {
    try NodeManifest(name: "organ", command: [program], ports: [port("org1")]).write(to: folder)
  }
  try NodeManifest(name: "alto", command: ["a"], ports: [port("alto")]).write(to: folders[2])
  #expect(try NodeManifest.find("organ", in: nodes.directories)?.command == ["first"])
  #expect(try NodeManifest.find("none", in: nodes.directories) == nil)
  let all = NodeManifest.all(in: nodes.directories)
  #expect(all.manifests.map(\.command) == [["a"], ["first"]])
  #expect(all.problems == [])

  let file = try nodes.system.add("home/.local/share/portative/nodes/organ.json", "{")
  let error = ManifestError.unusable(
    file: file,
    reason: "line 1, column 2: the file ends before the '}' of the '{' at line 1, column 1")
  #expect(throws: error) { try NodeManifest.find("organ", in: nodes.directories) }
  let rest = NodeManifest.all(in: nodes.directories)
  #expect(rest.manifests.map(\.command) == [["a"]])
  #expect(rest.problems == [ComponentProblem(path: file, message: error.description)])
}

@Test func `other files, and incomplete ones, are ignored`() throws {
  let nodes = try TemporaryNodes()
  let folder = "home/.local/share/portative/nodes"
  for name in ["README", ".organ.json", "organ.json~"] {
    try nodes.system.add("\(folder)/\(name)", "{")
  }
  #expect(NodeManifest.all(in: nodes.directories).problems == [])
  // A file in place of a folder is reported and does not hide other manifests.
  let file = try nodes.system.add("usr/share/portative/nodes", "")
  let problem = try #require(NodeManifest.all(in: nodes.directories).problems.first)
  #expect(problem.path == file)
  #expect(problem.message == "cannot read the folder '\(file)': Not a directory")
}
