import Foundation
import LocalSystem
import NodeProtocol
import ProgramTestSupport
import TestSupport
import Testing

/// Whether this process can use realtime priority and start programs that cannot.
private let canTakeAway: Bool = {
  let thread = Process()
  thread.executableURL = URL(filePath: "/usr/bin/chrt")
  thread.arguments = ["--fifo", "1"] + takeAway + ["/bin/true"]
  thread.standardError = FileHandle.nullDevice
  guard geteuid() == 0, (try? thread.run()) != nil else { return false }
  thread.waitUntilExit()
  return thread.terminationStatus == 0
}()

/// The arguments that start a program without the right to realtime priority.
private let takeAway = [
  "/usr/bin/prlimit", "--rtprio=0:0", "/usr/bin/setpriv", "--bounding-set=-sys_nice",
  "--inh-caps=-sys_nice",
]

/// Returns a song of half a second with a short note.
private func quarterSong() throws -> Data {
  try songBytes([Note(tick: 0, key: 60, length: 100)], endTick: 480)
}

@Suite(
  .timeLimit(.minutes(5)),
  .enabled(if: canTakeAway, "taking rights away needs root, and realtime priority to begin with"))
struct RealtimePermissionTests {
  @Test func `a paced host and its node have realtime priority where it is permitted`() throws {
    let user = try TemporaryUser()
    let song = try user.folder.put(quarterSong())
    let server = try user.serve()
    let result = try user.run("play", "--node", "last", "--audio", "none", "--tail", "exact", song)
    #expect(result.exitCode == 0, "\(result.errors)")
    #expect(!result.errors.contains("realtime"))
    try server.wait { server.errors.contains("1024 frames, realtime priority 69\n") }
  }

  @Test func `a host that renders to a file is an ordinary one`() throws {
    let user = try TemporaryUser()
    let song = try user.folder.put(quarterSong())
    let server = try user.serve()
    #expect(
      try user.run("play", "--node", "last", "-q", "-o", user.folder("x.wav"), song).exitCode == 0)
    try server.wait { server.errors.contains("1024 frames, offline\n") }
  }

  @Test func `without the right to it, a host plays on and says what to do`() throws {
    let user = try TemporaryUser()
    user.variables["DBUS_SYSTEM_BUS_ADDRESS"] = "unix:path=/none"
    let song = try user.folder.put(quarterSong())
    let server = try user.serve()
    user.wrapper = takeAway
    let result = try user.run("play", "--node", "last", "--audio", "none", "--tail", "exact", song)
    #expect(result.exitCode == 0)
    let reason = RealtimePriorityError(limit: 0, answer: "No such file or directory").description
    #expect(result.errors.contains("warning: \(reason)\n"), "\(result.errors)")
    try server.wait { server.errors.contains("1024 frames, ordinary priority, as its host\n") }
  }

  @Test func `without the right to it, a node says what to do, once`() throws {
    let user = try TemporaryUser()
    user.variables["DBUS_SYSTEM_BUS_ADDRESS"] = "unix:path=/none"
    let song = try user.folder.put(quarterSong())
    user.wrapper = takeAway
    let server = try user.serve()
    user.wrapper = []
    for _ in 0..<2 {
      let result = try user.run(
        "play", "--node", "last", "-q", "--audio", "none", "--tail", "exact", song)
      #expect(result.exitCode == 0, "\(result.errors)")
    }
    let words = "1024 frames, without realtime priority\n"
    try server.wait { server.errors.components(separatedBy: words).count == 3 }
    let warning = "warning: realtime priority is not permitted"
    #expect(server.errors.components(separatedBy: warning).count == 2)
  }

  @Test(
    .enabled(if: RealtimeKitBus.isPossible, "dbus-daemon, python3-dbus or python3-gi is missing"))
  func `RealtimeKit grants what the limits do not permit, to both sides`() throws {
    let bus = try RealtimeKitBus()
    let user = try TemporaryUser()
    user.variables["DBUS_SYSTEM_BUS_ADDRESS"] = bus.address
    user.wrapper = takeAway
    let song = try user.folder.put(quarterSong())
    let server = try user.serve()
    let result = try user.run("play", "--node", "last", "--audio", "none", "--tail", "exact", song)
    #expect(result.exitCode == 0)
    #expect(!result.errors.contains("realtime"), "\(result.errors)")
    try server.wait { server.errors.contains("1024 frames, realtime priority 19\n") }
    withExtendedLifetime(bus) {}
  }
}
