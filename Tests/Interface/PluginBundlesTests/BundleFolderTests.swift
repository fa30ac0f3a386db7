import Foundation
import Glibc
import PluginBundles
import LocalSystem
import RenderCore
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(5))) struct BundleFolderTests {
  private let temporary: TemporaryFolder
  private let folder: BundleFolder
  private let library: String

  init() throws {
    temporary = try TemporaryFolder()
    folder = BundleFolder(temporary("lib/lv2"))
    library = try temporary.createFile("lib/portative/portative.so", Data("library".utf8))
  }

  private func content(
    _ node: String = "organ", _ names: String..., presets: [Preset] = []
  ) throws -> BundleContent {
    BundleContent(
      node: node,
      plugins: try names.enumerated().map { index, name in
        try makePlugin(subtype: "\(1000 + index)", name: name, presets: presets)
      })
  }

  private var names: [String] { (try? Folder.names(in: folder.path)) ?? [] }

  private func target(_ bundle: String) throws -> String {
    try FileManager.default.destinationOfSymbolicLink(
      atPath: "\(folder.path)/\(bundle)/portative.so")
  }

  @Test func `a bundle is written once, and then only if it differs`() throws {
    let content = try content("organ", "Test: Flutes", presets: [Preset("Soft", [:])])
    #expect(try folder.install(content, library: library) == .written)
    #expect(names == ["portative-organ.lv2"])
    let files = try Folder.names(in: "\(folder.path)/portative-organ.lv2")
    #expect(
      files == ["manifest.ttl", "plugins.ttl", "portative.json", "portative.so", "presets.ttl"])
    #expect(try folder.install(content, library: library) == .unchanged)
    #expect(
      try folder.install(self.content("organ", "Test: Flutes"), library: library) == .replaced)
    #expect(
      try Folder.names(in: "\(folder.path)/portative-organ.lv2")
        == ["manifest.ttl", "plugins.ttl", "portative.json", "portative.so"])
    #expect(names == ["portative-organ.lv2"])
  }

  @Test func `the shared object finds its plugins`() throws {
    let content = BundleContent(
      node: "portative",
      plugins: [
        try makePlugin(outputs: 1, parameters: [Parameter("gain", "Gain", -96...24, default: -3.3)])
      ])
    _ = try folder.install(content, library: library)
    let file = "\(folder.path)/portative.lv2/portative.json"
    let bundle = try JSONDecoder().decode(
      PluginBundle.self, from: Data(contentsOf: URL(filePath: file)))
    #expect(bundle.version == PluginBundle.currentVersion)
    #expect(bundle.plugins == content.plugins.map(\.description))
    #expect(folder.bundles.map(\.node) == ["portative"])
    #expect(folder.bundles[0].plugins == bundle.plugins)
    #expect(folder.bundles[0].hasLibrary)
    #expect(unlink(library) == 0)
    #expect(!folder.bundles[0].hasLibrary)
  }

  @Test func `the link is relative beside the library, and absolute elsewhere`() throws {
    _ = try folder.install(content(), library: library)
    #expect(try target("portative-organ.lv2") == "../../portative/portative.so")
    #expect(folder.bundles[0].hasLibrary)
    let other = try temporary.createFile("x.so")
    #expect(try folder.install(content(), library: other) == .replaced)
    #expect(try target("portative-organ.lv2") == other)
  }

  @Test func `folders and files of others stay as they are`() throws {
    try temporary.createFile("lib/lv2/portative-organ.lv2/manifest.ttl")
    #expect {
      try folder.install(content(), library: library)
    } throws: {
      ($0 as? Failure)?.kind == .outputNotWritten
        && "\($0)".contains("was not written by portative")
    }
    #expect(temporary.size(of: "lib") != nil)
    #expect(try Folder.names(in: "\(folder.path)/portative-organ.lv2") == ["manifest.ttl"])

    _ = try folder.install(content("harp"), library: library)
    try temporary.createFile("lib/lv2/portative-harp.lv2/notes.txt")
    for work in [
      { _ = try folder.install(content("harp", "Test: New"), library: library) },
      { try folder.remove(folder.bundles[0]) },
    ] as [() throws -> Void] {
      #expect(throws: Failure.self) { try work() }
      #expect(try Folder.names(in: "\(folder.path)/portative-harp.lv2")?.count == 5)
    }
    #expect(names == ["portative-harp.lv2", "portative-organ.lv2"])
  }

  @Test func `a link to a bundle is not followed`() throws {
    let elsewhere = BundleFolder(temporary("elsewhere"))
    _ = try elsewhere.install(content(), library: library)
    try Folder.create(folder.path, mode: 0o777)
    try FileManager.default.createSymbolicLink(
      atPath: "\(folder.path)/portative-organ.lv2",
      withDestinationPath: "\(elsewhere.path)/portative-organ.lv2")
    #expect(throws: Failure.self) {
      try folder.install(content("organ", "Test: New"), library: library)
    }
    #expect(throws: Failure.self) { try folder.remove(folder.bundles[0]) }
    #expect(elsewhere.bundles.count == 1)
  }

  @Test func `a bundle of a later version is ours`() throws {
    _ = try folder.install(content(), library: library)
    try temporary.createFile(
      "lib/lv2/portative-organ.lv2/portative.json",
      Data(#"{"version": 99, "plugins": [{"uri": "urn:x", "new": {}}], "other": 1}"#.utf8))
    #expect(try folder.install(content(), library: library) == .replaced)
  }

  @Test func `removal removes the bundle and nothing else`() throws {
    _ = try folder.install(content("organ", "Test: Flutes"), library: library)
    _ = try folder.install(content("harp", "Test: Harp"), library: library)
    try temporary.createFile("lib/lv2/other.lv2/manifest.ttl")
    let bundle = try #require(folder.bundles.first { $0.node == "organ" })
    try folder.remove(bundle)
    #expect(names == ["other.lv2", "portative-harp.lv2"])
    #expect(access(library, F_OK) == 0)
  }

  @Test func `what a killed process left behind is removed`() throws {
    let dead = Process()
    dead.executableURL = URL(filePath: "/bin/true")
    try dead.run()
    dead.waitUntilExit()
    let process = dead.processIdentifier
    try temporary.createFile("lib/lv2/.portative-\(process)-abc.partial/plugins.ttl")
    try temporary.createFile("lib/lv2/.portative-\(getpid())-abc.partial/plugins.ttl")
    _ = try folder.install(content(), library: library)
    #expect(names == [".portative-\(getpid())-abc.partial", "portative-organ.lv2"])
  }

  @Test func `a folder that cannot be written is reported`() throws {
    try temporary.createFile("file", Data())
    let folder = BundleFolder(temporary("file/lv2"))
    #expect {
      try folder.install(content(), library: library)
    } throws: { ($0 as? Failure)?.kind == .outputNotWritten }
  }
}
