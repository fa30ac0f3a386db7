import Foundation
import Glibc
import MIDIFile
import ProgramTestSupport
import RenderCore
import ServerTestSupport
import TestSupport
import Testing

/// `play --record` while a page of the web panel plays the port of a silent song.
@Suite(.timeLimit(.minutes(5)), .serialized) struct PlayRecordingTests {
  private let user: TemporaryUser
  private let page: TestSocket
  private let song: String

  init() throws {
    user = try TemporaryUser()
    song = try user.folder.put(songBytes([Note(tick: 200_000, key: 60, length: 10)]))
    try user.configureOnePort()
    let server = try user.serve("--panel")
    try server.wait { server.errors.contains("panel: http://") }
    let link = try user.run("serve", "--panel-link").outputText.trimmingCharacters(in: .newlines)
    let parts = try #require(link.firstMatch(of: /:([0-9]+)\/#(.*)/))
    page = try TestSocket(#require(Int(parts.1)))
    try page.open(String(parts.2))
    let component = #"{"type":"instrument","subtype":"gmsy","manufacturer":"Ptvo"}"#
    try page.send(
      #"{"id":9,"method":"panel.play","params":{"component":\#(component)}}"#)
    _ = try page.receive(until: #""id":9"#)
  }

  private func play(_ key: Int) throws {
    try page.send(#"{"method":"panel.midi","params":{"bytes":[144,\#(key),110]}}"#)
    usleep(100_000)
    try page.send(#"{"method":"panel.midi","params":{"bytes":[128,\#(key),64]}}"#)
    usleep(100_000)
  }

  private func record(to path: String) throws -> Program {
    let player = try user.start(
      "play", "--node", "last", "--audio", "none", "--cycle", "1024", "--record", path, song)
    try player.wait { player.errors.contains("recording to ") }
    return player
  }

  /// The frames and keys of the notes in a MIDI file; none if there is no file.
  private func notes(_ path: String) -> [(frame: Int64, key: UInt8)] {
    guard let data = try? Data(contentsOf: URL(filePath: path)),
      let song = try? StandardMIDIFile(decoding: Array(data)).timeline(sampleRate: 48_000)
    else { return [] }
    return song.events.compactMap { event in
      guard case .channel(let message) = event.message, message.startsNote else { return nil }
      return (event.frame, message.data1)
    }
  }

  @Test func `a player that is killed leaves both files, and each note is on its frame`() throws {
    let player = try record(to: user.folder("take.wav"))
    var count = 0
    while notes(user.folder("take.mid")).isEmpty, count < 300 {
      try play(60 + count % 12)
      count += 1
    }
    player.send(SIGKILL)
    _ = try player.result()
    let written = notes(user.folder("take.mid"))
    // It is written every ten seconds.
    #expect(written.count > 10)
    for (index, note) in written.enumerated() { #expect(Int(note.key) == 60 + index % 12) }
    let partial = try #require(user.folder.names.first { $0.hasSuffix(".partial") })
    let audio = samples(user.folder(partial))
    let onset = try #require(audio.firstIndex { abs($0) > 1e-4 }) / 2
    let first = try #require(written.first).frame
    // FluidSynth's reverb is not quite silent, and a note begins quietly.
    #expect(first..<first + 480 ~= Int64(onset), "onset \(onset), note \(first)")
  }

  @Test(.enabled(if: geteuid() == 0, "mounting a small disk needs root"))
  func `what is played while the disk is full is in the MIDI file`() throws {
    let disk = try TemporaryFolder()
    try #require(mount("tmpfs", disk.path, "tmpfs", 0, "size=1m") == 0)
    defer { umount2(disk.path, CInt(MNT_DETACH)) }
    let player = try record(to: disk("take.wav"))
    try play(60)
    try player.wait { player.errors.contains("the sound continues: cannot write") }
    for key in 61...70 { try play(key) }
    player.send(SIGTERM)
    let result = try player.result()
    #expect(result.errors.contains("recorded \(disk("take.mid")): 11 notes\n"))
    #expect(notes(disk("take.mid")).map(\.key) == Array(60...70))
    let partial = try #require(disk.names.first { $0.hasSuffix(".partial") })
    #expect(samples(disk(partial)).count > 2 * 48_000)
  }
}
