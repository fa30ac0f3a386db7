import Glibc
import LocalSystem
import NodeProtocol
import TestSupport
import Testing

@Test func `takes the first executable file of that name in PATH`() throws {
  let nodes = try TemporaryNodes()
  let root = nodes.system.root
  try nodes.system.add("plain/organ", "")
  try nodes.system.add("folder/organ/x", "")
  let organ = try nodes.addScript("organ", "")
  let path = "relative::\(root)/folder:\(root)/plain:\(root)/bin:/usr/bin"
  #expect(try ProgramSearch.find("organ", path: path) == organ)
  #expect(try ProgramSearch.find(organ, path: nil) == organ)
  #expect(try ProgramSearch.find("sh", path: nil).hasSuffix("bin/sh"))
  #expect(throws: LaunchError.notExecutable(program: "\(root)/plain/organ")) {
    try ProgramSearch.find("organ", path: "\(root)/folder:\(root)/plain")
  }
  #expect(throws: LaunchError.programNotFound(program: "organ", path: "/usr/bin")) {
    try ProgramSearch.find("organ", path: "/usr/bin")
  }
  #expect(throws: LaunchError.programNotFound(program: "\(root)/folder/organ", path: nil)) {
    try ProgramSearch.find("\(root)/folder/organ", path: nil)
  }
}
