import Foundation
import Glibc
import ProgramTestSupport
import TestSupport
import Testing
import portative

@Test func `the log names the SoundFont, the ports and their hosts`() throws {
  let user = try TemporaryUser()
  let song = try user.folder.put(shortSong())
  let server = try user.serve()
  #expect(user.files == ["portative.json", "portative.socket"])
  #expect(
    try user.run("play", "--node", "last", "-q", "-o", user.folder("x.wav"), song).exitCode == 0)
  try server.wait { server.errors.contains(": left by portative play (process ") }
  server.send(SIGTERM)
  let result = try server.result()
  #expect(result.exitCode == 0)
  let lines = result.errors.split(separator: "\n").map(String.init)
  #expect(lines.first == "SoundFont: \(bundledSoundFont) (named by PORTATIVE_SOUNDFONT)")
  #expect(lines.dropFirst().first == "Portative: General MIDI: published")
  #expect(lines.contains { $0.hasPrefix("Portative: General MIDI: taken by portative play (") })
  #expect(lines.last == "stopped")
}

@Test(arguments: [SIGTERM, SIGINT])
func `a server that loads is visible to hosts and can be ended`(signal: Int32) throws {
  let user = try TemporaryUser()
  let font = try LeasedFile(user.folder("slow.sf2"))
  try user.configure(
    #"{ ports: [{ name: "Test: Slow", subtype: "slow", soundfont: "../../slow.sf2" }] }"#)
  let server = try user.start("serve", "--midi", "none")
  try server.wait { user.ports(of: "portative") == [] }
  #expect(try user.run("list", "--status").outputText.contains("no port yet"))
  server.send(signal)
  let result = try server.result()
  #expect(result.exitCode == 0)
  #expect(result.errors == "stopped\n")
  #expect(user.files == [])
  font.close()
}

/// A file with a lease: the kernel blocks other processes that open it.
private final class LeasedFile {
  private let descriptor: Int32

  init(_ path: String) throws {
    descriptor = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
    // The kernel sends SIGIO to the holder of the lease when another process is blocked.
    signal(SIGIO, SIG_IGN)
    let setLease: Int32 = 1024
    try #require(fcntl(descriptor, setLease, Int32(F_WRLCK)) == 0)
  }

  func close() { Glibc.close(descriptor) }
}

@Test func `a second server with the same name is refused`() throws {
  let user = try TemporaryUser()
  try user.configureOnePort()
  let server = try user.serve()
  let second = try user.run("serve")
  #expect(second.exitCode == 1)
  #expect(
    second.errors.contains(
      "the node 'portative' is already running as process \(server.process.processIdentifier)"))
  #expect(user.ports(of: "portative") == ["Portative: General MIDI"])
}

@Test func `an unusable SoundFont is exit code 5, and the name is released`() throws {
  let user = try TemporaryUser()
  let font = try user.folder.put(Data("RIFF\u{4}\0\0\0sfbk".utf8), "font.sf2")
  let result = try user.run("serve", "--soundfont", font)
  #expect(result.exitCode == 5)
  #expect(result.errors.contains(font))
  #expect(user.files == [])
}

@Test(
  .enabled(if: access("/dev/snd/seq", F_OK) != 0, "this machine has the ALSA sequencer: test-alsa"))
func `without a sequencer or a sound device a server logs this and serves hosts`() throws {
  let user = try TemporaryUser()
  let server = try user.serve("--midi", "alsa", "--audio", "default")
  #expect(server.errors.contains("no MIDI keyboards: the kernel's sequencer is not loaded"))
  let song = try user.folder.put(shortSong())
  let played = try user.run("play", "--node", "last", "-o", user.folder("a.wav"), song)
  #expect(played.exitCode == 0, "\(played.errors)")
}

@Test func `a file given with --config also sets the SoundFont`() throws {
  let user = try TemporaryUser()
  user.variables["PORTATIVE_SOUNDFONT"] = nil
  let file = try user.folder.put(
    Data(
      #"{ soundfont: "\#(bundledSoundFont)", ports: [{ name: "Test: A", subtype: "tesa" }] }"#.utf8),
    "mine.json")
  let server = try user.serve("--config", file, node: "mine")
  #expect(user.ports(of: "mine") == ["Test: A"])
  #expect(server.errors.hasPrefix("SoundFont: \(bundledSoundFont) (named in \(file))\n"))
}
