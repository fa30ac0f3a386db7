import CLV2
import ConnectionTestSupport
import LV2Atoms
import LocalSystem
import NodeProtocol
import NodeServer
import RenderCore
import Synchronization
import TestSupport
import Testing

@testable import LV2Plugins
@testable import PluginCore

/// Tests of a plugin whose unit plays a file.
@Suite(.timeLimit(.minutes(5))) struct PluginFileTests {
  private let key = mappedURI("urn:portative:file:soundfont")

  private func state(_ path: String) -> SavedState {
    SavedState(
      port: "Test",
      unit: UnitState(
        component: probePort().component, parameters: [:], data: "AQ==",
        files: ["soundfont": FileReference(path: path, hash: "h")]), controls: [:])
  }

  private func makePlugin() throws -> TestInstance {
    try #require(try TestInstance(probePort(), inputChannels: 2))
  }

  /// Renders cycles until the unit plays a file.
  private func plays(_ path: String, _ plugin: TestInstance, _ source: FileSource) -> Bool {
    eventually {
      plugin.run(noteAt: 0)
      return plugin.isConnected && source.played == path
    }
  }

  @Test func `without the file of its state, the plugin is silent until the file returns`() throws {
    let plugin = try makePlugin()
    let source = FileSource(files: ["/default"])
    let server = try plugin.serve(source)
    defer { server.stop() }
    plugin.instance.worker.restore(state("/a").text)
    plugin.instance.activate()
    let hasFailed = eventually {
      plugin.run(noteAt: 0)
      return plugin.instance.worker.signals.hasFailed.value == 1
    }
    #expect(hasFailed)
    for _ in 0..<50 {
      plugin.run(noteAt: 0)
      #expect(!plugin.isConnected)
    }
    // The host saves the state that it has restored.
    #expect(plugin.instance.worker.savedText() == state("/a").text)
    #expect(plugin.instance.worker.lastReport.withLock { $0.contains("there is no /a") })
    source.add("/a")
    #expect(plays("/a", plugin, source))
    let saved = try SavedState(#require(plugin.instance.worker.savedText()))
    #expect(saved.unit.files == state("/a").unit.files)
    // A connection that was lost meanwhile is made again while the host renders.
    let isReported = eventually {
      plugin.run(noteAt: 0)
      return plugin.instance.worker.lastReport.withLock { $0 == "connected to test" }
    }
    #expect(isReported)
  }

  @Test func `a state with a missing file silences a plugin that plays`() throws {
    let plugin = try makePlugin()
    let source = FileSource(files: ["/default"])
    let server = try plugin.serve(source)
    defer { server.stop() }
    plugin.instance.activate()
    #expect(plays("/default", plugin, source))
    plugin.instance.worker.restore(state("/a").text)
    let isSilent = eventually {
      plugin.run(noteAt: 0)
      return !plugin.isConnected
    }
    #expect(isSilent)
    #expect(plugin.instance.worker.savedText() == state("/a").text)
    source.add("/a")
    #expect(plays("/a", plugin, source))
  }

  @Test func `the file of a state is where the host has put it`() throws {
    let plugin = try makePlugin()
    let source = FileSource(files: ["/default", "/session/a"])
    let server = try plugin.serve(source)
    defer { server.stop() }
    plugin.instance.worker.restore(state("/a").text, paths: ["soundfont": "/session/a"])
    plugin.instance.activate()
    #expect(plays("/session/a", plugin, source))
  }

  @Test func `a file that is chosen before there is a unit is played`() throws {
    let plugin = try makePlugin()
    let source = FileSource(files: ["/default"])
    let server = try plugin.serve(source)
    defer { server.stop() }
    plugin.instance.worker.chooseFile("soundfont", "/a")
    plugin.instance.activate()
    let hasFailed = eventually {
      plugin.run(noteAt: 0)
      return plugin.instance.worker.signals.hasFailed.value == 1
    }
    #expect(hasFailed)
    source.add("/a")
    #expect(plays("/a", plugin, source))
  }

  @Test func `the host sets the file and is told which one is played`() throws {
    let plugin = try makePlugin()
    let source = FileSource(files: ["/default", "/a"])
    let server = try plugin.serve(source)
    defer { server.stop() }
    plugin.instance.activate()
    #expect(reports("/default", plugin))
    // Nothing is wrong, so the log has no line.
    #expect(plugin.instance.worker.lastReport.withLock { $0 } == "")
    var bytes = AtomBytes()
    bytes.append(at: 0, types.object, message(types.patchSet, "/a"))
    plugin.run(bytes)
    #expect(plays("/a", plugin, source))
    let saved = try SavedState(#require(plugin.instance.worker.savedText()))
    #expect(saved.unit.files?["soundfont"]?.path == "/a")
    // The file is not there, so the unit plays the last one.
    bytes = AtomBytes()
    bytes.append(at: 0, types.object, message(types.patchSet, "/missing"))
    plugin.run(bytes)
    #expect(reports("/a", plugin))
    #expect(source.played == "/a")
    bytes = AtomBytes()
    bytes.append(at: 0, types.object, message(types.patchGet, nil))
    plugin.run(bytes)
    #expect(reports("/a", plugin))
  }

  /// Renders cycles until the plugin reports a file.
  private func reports(_ path: String, _ plugin: TestInstance) -> Bool {
    eventually {
      plugin.run(noteAt: 0)
      return plugin.reportedProperties[key] == path
    }
  }

  /// The body of a message about the file.
  private func message(_ type: LV2_URID, _ path: String?) -> [UInt8] {
    var body = AtomBytes()
    body.append(UInt32(0))
    body.append(type)
    var number = AtomBytes()
    number.append(key)
    body.append(types.patchProperty)
    body.append(UInt32(0))
    body.append(atom: types.urid, number.bytes)
    guard let path else { return body.bytes }
    body.append(types.patchValue)
    body.append(UInt32(0))
    body.append(atom: types.path, Array("\(path)\0".utf8))
    return body.bytes
  }
}

/// Creates probes that play a file, and says which one the last of them plays.
private final class FileSource: RenderUnitSource {
  private struct State {
    var files: Set<String>
    var played = ""
  }
  private let state: Mutex<State>

  init(files: Set<String>) { state = Mutex(State(files: files)) }

  var played: String { state.withLock { $0.played } }

  func add(_ path: String) { state.withLock { _ = $0.files.insert(path) } }

  /// - Returns: Whether the file exists.
  func play(_ path: String) -> Bool {
    state.withLock { state in
      guard state.files.contains(path) else { return false }
      state.played = path
      return true
    }
  }

  func makeUnit(_ format: Format) throws -> any RenderUnit { FileUnit(ProbeUnit(format), self) }
}

private final class FileUnit: RenderUnit {
  private let probe: ProbeUnit
  private let source: FileSource
  private let file = Mutex(FileReference(path: "/default", hash: "h"))

  init(_ probe: ProbeUnit, _ source: FileSource) {
    self.probe = probe
    self.source = source
    _ = source.play("/default")
  }

  var renderer: Renderer { probe.renderer }
  var parameters: ParameterStore? { probe.parameters }
  func save() -> [UInt8] { probe.save() }
  func restore(_ data: [UInt8]) throws { try probe.restore(data) }

  var files: [UnitFile] { [UnitFile("soundfont", "SoundFont", file.withLock { $0 })] }

  func restore(_ data: [UInt8], files: [String: FileReference]) throws {
    if let new = files["soundfont"] {
      guard source.play(new.path) else { throw UnitFileError("there is no \(new.path)") }
      file.withLock { $0 = new }
    }
    try probe.restore(data)
  }
}
