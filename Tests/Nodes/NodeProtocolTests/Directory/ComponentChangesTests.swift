import FoundationEssentials
import Glibc
import LocalSystem
import TestSupport
import Testing

@testable import NodeProtocol

/// Far longer than the notification of a change takes.
private let long = Duration.seconds(20)

private func writeManifest(_ name: String, to folder: String) throws {
  try NodeManifest(name: name, command: ["x"], ports: [port("org1")]).write(to: folder)
}

@Test
func `reports manifests that are added, edited and removed, in folders that are created later`()
  throws
{
  let nodes = try TemporaryNodes()
  let changes = try ComponentRegistry(nodes.directories).changes()
  #expect(changes.contents.components == [])
  // The nearest existing parent of each folder is several levels above it.
  for (index, folder) in nodes.directories.manifests.enumerated() {
    try writeManifest("organ\(index)", to: folder)
    #expect(changes.wait(atMost: long)?.components.count == index + 1)
  }
  let file = try nodes.system.add("usr/share/portative/nodes/organ2.json", "{")
  #expect(changes.wait(atMost: long)?.problems.map(\.path) == [file])
  #expect(unlink(file) == 0)
  #expect(changes.wait(atMost: long)?.components.map(\.node) == ["organ0", "organ1"])
  #expect(changes.contents.problems == [])
}

@Test func `a folder may be removed and created again`() throws {
  let nodes = try TemporaryNodes()
  let folder = nodes.directories.manifests[0]
  try writeManifest("organ", to: folder)
  let changes = try ComponentRegistry(nodes.directories).changes()
  #expect(changes.contents.components.count == 1)
  for _ in 1...3 {
    try FileManager.default.removeItem(atPath: "\(nodes.system.root)/home/.local")
    #expect(changes.wait(atMost: long)?.components == [])
    try writeManifest("organ", to: folder)
    #expect(changes.wait(atMost: long)?.components.count == 1)
    #expect(rename(folder, folder + "-old") == 0)
    #expect(changes.wait(atMost: long)?.components == [])
    #expect(rename(folder + "-old", folder) == 0)
    #expect(changes.wait(atMost: long)?.components.count == 1)
  }
}

@Test func `reports nodes that start, publish, end and crash`() throws {
  let nodes = try TemporaryNodes()
  let changes = try ComponentRegistry(nodes.directories).changes()
  let node = try RunningNode.claim("organ", in: nodes.directories)
  try node.publish([port("org1")])
  #expect(changes.wait(atMost: long)?.components.count == 1)
  try node.publish([port("org1"), port("org2")])
  #expect(changes.wait(atMost: long)?.components.count == 2)
  node.close()
  #expect(changes.wait(atMost: long)?.components == [])
  let child = try nodes.startNode("piano", ports: [port("pno1")])
  #expect(changes.wait(atMost: long)?.components.map(\.processID) == [child.pid])
  child.kill()
  #expect(changes.wait(atMost: long)?.components == [])
}

@Test func `many changes at once are one report, and without changes there is none`() throws {
  let nodes = try TemporaryNodes()
  let node = try RunningNode.claim("organ", in: nodes.directories)
  let changes = try ComponentRegistry(nodes.directories).changes()
  for _ in 1...20 { try node.publish([port("org1")]) }
  #expect(changes.wait(atMost: long)?.components.count == 1)
  // The same ports again, and a file that is not a manifest.
  try node.publish([port("org1")])
  try nodes.system.add("runtime/portative/x", "")
  #expect(changes.wait(atMost: .milliseconds(200)) == nil)
  node.close()
}

@Test func `continuous changes are reported`() throws {
  let nodes = try TemporaryNodes()
  let changes = try ComponentRegistry(nodes.directories).changes()
  let node = try RunningNode.claim("organ", in: nodes.directories)
  let done = Flag()
  let publisher = TestThread {
    while !done.isRaised {
      for subtype in ["org1", "org2"] { try? node.publish([port(subtype)]) }
      usleep(1000)
    }
  }
  for _ in 1...2 { #expect(changes.wait(atMost: long)?.components.count == 1) }
  done.raise()
  publisher.join()
}

@Test func `its descriptor can be polled, and next does not block`() throws {
  let nodes = try TemporaryNodes()
  let changes = try ComponentRegistry(nodes.directories).changes()
  var source = pollfd(fd: changes.descriptor, events: Int16(POLLIN), revents: 0)
  #expect(poll(&source, 1, 0) == 0)
  #expect(changes.next() == nil)
  let node = try RunningNode.claim("organ", in: nodes.directories)
  try node.publish([port("org1")])
  var contents: ComponentRegistry.Contents?
  while contents == nil {
    try #require(poll(&source, 1, 20_000) == 1)
    contents = changes.next()
  }
  #expect(contents?.components.count == 1)
  // One more change may be pending; after that, the descriptor stays silent.
  try wait {
    #expect(changes.next() == nil)
    return poll(&source, 1, 0) == 0
  }
  node.close()
}

@Test func `watching leaves no descriptors open`() throws {
  let nodes = try TemporaryNodes()
  func links(to kind: String) throws -> Int {
    try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").count {
      (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/fd/\($0)"))?
        .contains(kind) == true
    }
  }
  // Other tests watch as well, but fewer at a time.
  for _ in 1...100 { _ = try ComponentRegistry(nodes.directories).changes() }
  for kind in ["inotify", "eventpoll", "timerfd"] { #expect(try links(to: kind) < 50) }
}
