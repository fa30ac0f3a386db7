import Foundation
import Glibc
import JACKTestSupport
import LiveAudio
import LocalSystem
import SoundTestSupport
import Synchronization
import TestSupport
import Testing

@testable import JACKAudio

extension JACKServerTests {
  @Suite(.timeLimit(.minutes(5))) struct JACKConnectionTests {
    private let folder: TemporaryFolder
    private let messages = Messages()

    private final class Messages: Sendable {
      let all = Mutex<[String]>([])
    }

    init() throws { folder = try TemporaryFolder() }

    private var store: JACKConnectionStore {
      JACKConnectionStore(ProcessEnvironment(variables: ["XDG_STATE_HOME": folder.path])) {
        [messages] message in messages.all.withLock { $0.append(message) }
      }
    }

    private var messageCount: Int { messages.all.withLock { $0.count } }

    private func start(_ server: TestJACKServer) throws -> JACKDevice {
      let device = try join(server.name, client: "Stage", store: store)
      try device.start(RampRenderer().renderer, report: { _ in })
      return device
    }

    private func stored() -> Set<String>? {
      store.connections(of: "Stage").map { Set($0.map(\.text)) }
    }

    @Test func `connections that the user changes are restored, others are as usual`() throws {
      let server = try TestJACKServer()
      var device = try start(server)
      let usual = ["system:playback_1"]
      var other: RecordingClient? = try RecordingClient(server: server.name)
      func connections() throws -> [String] {
        try RecordingClient(server: server.name, name: "Watcher").connections(of: "Stage:out_left")
          .sorted()
      }
      #expect(try connections() == usual)
      #expect(stored() == nil)
      other?.connect(to: ["Stage:out_left"])
      let changed: Set = [
        "out_left system:playback_1", "out_right system:playback_2", "out_left Recorder:left",
      ]
      #expect(eventually { stored() == changed })

      // The other program ends, which is no wish of the user, and returns.
      other = nil
      usleep(800_000)
      #expect(stored() == changed)
      #expect(try connections() == usual)
      other = try RecordingClient(server: server.name)
      #expect(eventually { (try? connections()) == ["Recorder:left"] + usual })

      // Our program returns.
      device.stop()
      device = try start(server)
      #expect(eventually { (try? connections()) == ["Recorder:left"] + usual })

      // What the user disconnects stays so.
      try other?.disconnect("Stage:out_left", "system:playback_1")
      #expect(eventually { stored() == changed.subtracting(["out_left system:playback_1"]) })
      device.stop()
      device = try start(server)
      #expect(eventually { (try? connections()) == ["Recorder:left"] })

      // The server's end is no wish of the user either.
      server.end()
      usleep(800_000)
      #expect(stored() == changed.subtracting(["out_left system:playback_1"]))
      device.stop()
      #expect(messageCount == 0)
    }

    @Test func `stored connections that cannot be made are kept, and the others are made`() throws {
      let server = try TestJACKServer()
      let absurd = [
        ("out_left", "system:playback_99"), ("out_left", "Nobody:in"), ("out_left", ""),
        ("out_left", ":"), ("out_left", String(repeating: "é", count: 100_000)),
        ("out_left", "system:capture_1"), ("out_right", "Stage:out_left"),
        ("in_left", "system:capture_1"),
        ("", "system:playback_1"), ("system:capture_1", "system:playback_1"),
      ].map { JACKConnection(port: $0, other: $1) }
      let many = (0..<2000).map { JACKConnection(port: "out_right", other: "Nobody \($0):in") }
      let valid = JACKConnection(port: "out_left", other: "system:playback_2")
      let stored = Set(absurd + many + [valid])
      store.set(stored, of: "Stage")
      let device = try start(server)
      defer { device.stop() }
      let watcher = try RecordingClient(server: server.name, name: "Watcher")
      #expect(
        eventually { (try? watcher.connections(of: "Stage:out_left")) == ["system:playback_2"] })
      #expect(try watcher.connections(of: "Stage:out_right").isEmpty)
      #expect(store.connections(of: "Stage") == stored)
    }

    @Test func `a change is stored although the file was unusable`() throws {
      try folder.createFile("portative/jack.json", Data("{".utf8))
      let connection = JACKConnection(port: "out_left", other: "Recorder:left")
      store.set([connection], of: "Stage")
      #expect(store.connections(of: "Stage") == [connection])
      #expect(messageCount == 1)
    }

    @Test func `an unusable file is reported once, and the client plays`() throws {
      let server = try TestJACKServer()
      // A folder in place of the file.
      try folder.createFile("portative/jack.json/file")
      let store = store
      #expect(store.connections(of: "Stage") == nil)
      #expect(store.connections(of: "Stage") == nil)
      #expect(messageCount == 1)
      let device = try join(server.name, client: "Stage", store: store)
      let ramp = RampRenderer()
      try device.start(ramp.renderer, report: { _ in })
      #expect(eventually { ramp.count > 3 })
      device.stop()
    }
  }
}
