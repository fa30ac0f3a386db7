import FoundationEssentials
import Glibc
import LocalSystem
import TestSupport
import Testing

@testable import NodeProtocol

@Test func `quotes the last lines with control characters as their numbers`() throws {
  let nodes = try TemporaryNodes()
  let log = try LaunchLog(node: "organ", in: nodes.directories)
  #expect(log.excerpt.lines == [])
  let text =
    String(repeating: "long ", count: 1000) + "\n" + (1...6).map { "line \($0)\n" }.joined()
    + "\u{1B}[31mred"
  #expect(write(log.descriptor, text, text.utf8.count) == text.utf8.count)
  #expect(log.excerpt.lines == ["line 3", "line 4", "line 5", "line 6", #"\u{1B}[31mred"#])
  #expect(log.excerpt.path == "\(nodes.system.root)/home/.local/state/portative/organ.log")
}

@Test func `keeps the log of the previous launch`() throws {
  let nodes = try TemporaryNodes()
  for text in ["first", "second", "third"] {
    let log = try LaunchLog(node: "organ", in: nodes.directories)
    #expect(write(log.descriptor, text, text.utf8.count) == text.utf8.count)
  }
  let path = "\(nodes.system.root)/home/.local/state/portative/organ.log"
  #expect(try String(contentsOfFile: path, encoding: .utf8) == "third")
  #expect(try String(contentsOfFile: path + ".1", encoding: .utf8) == "second")
}

@Test func `states where a log cannot be written`() throws {
  let nodes = try TemporaryNodes()
  let log = "home/.local/state/portative/organ.log"
  try nodes.system.add("\(log)/x", "")
  try nodes.system.add("\(log).1", "")
  #expect(throws: LaunchError.noLog(path: "\(nodes.system.root)/\(log)", code: EISDIR)) {
    _ = try LaunchLog(node: "organ", in: nodes.directories)
  }
}

@Test func `a log that becomes too long is kept, and another one begins`() throws {
  let folder = try TemporaryFolder()
  let path = folder("organ.log")
  let (descriptor, other) = (try LaunchLog.open(path), try LaunchLog.open(folder("other")))
  defer {
    close(descriptor)
    close(other)
  }
  try LogLimit.apply(to: path, [other, descriptor], length: 1000)
  func size(_ descriptor: CInt) -> Int {
    var file = stat()
    return fstat(descriptor, &file) == 0 ? Int(file.st_size) : -1
  }
  for text in ["first", "second"] {
    let text = text + String(repeating: ".", count: 1000)
    #expect(write(descriptor, text, text.utf8.count) == text.utf8.count)
    try #require(eventually { size(descriptor) == 0 })
    #expect(try String(contentsOfFile: path + ".1", encoding: .utf8) == text)
  }
  #expect(write(descriptor, "third", 5) == 5)
  #expect(try String(contentsOfFile: path, encoding: .utf8) == "third")
  #expect(size(other) == 0)
}
