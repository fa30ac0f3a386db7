import Foundation
import ProgramTestSupport
import TestSupport
import Testing

/// Tests of `serve --record` with a keyboard that is plugged in.
@Suite(
  .timeLimit(Rig.timeLimit),
  .enabled(if: Rig.hasKeyboards && Rig.hasLoopback, "needs the rig, in real time: make test-alsa"),
  .serialized)
struct RecordingTests {
  @Test
  func `what a keyboard plays is recorded as audio and as MIDI, also if the server is killed`()
    throws
  {
    let user = try TemporaryUser.withKeys()
    let file = user.folder("live.wav")
    let keyboard = try EmulatedKeyboard(socket: 0, name: "Stage Piano", serial: "0")
    try keyboard.plug()
    func play() throws -> Program {
      let server = try user.serve(
        "--midi", "alsa", "--audio", "hw:Loopback,0", "--period", "8192", "--record", file)
      try server.says("played by Stage Piano")
      try server.says("recording to \(file), 48000 Hz")
      try keyboard.send("90 45 64")
      // The card hears it, and so has the file.
      let recorder = try Recorder(in: user.folder, seconds: 3)
      #expect((recorder.left().map(abs).max() ?? 0) > 0.001)
      try keyboard.send("80 45 40")
      return server
    }
    let server = try play()
    server.send(SIGTERM)
    #expect(try server.result().exitCode == 0)
    try server.says("recorded \(user.folder("live.mid")): 1 note")
    let audio = leftChannel(of: file)
    #expect(audio.count > 2 * Recorder.rate)
    #expect((audio.map(abs).max() ?? 0) > 0.001)
    // The A above middle C.
    let onset = audio.firstIndex { abs($0) > 0.001 } ?? 0
    #expect(level(of: 440, in: audio, from: onset + 4800) > 0.0005)

    for name in ["live.wav", "live.mid"] {
      try FileManager.default.removeItem(atPath: user.folder(name))
    }
    let killed = try play()
    killed.send(SIGKILL)
    _ = try killed.result()
    let names = try FileManager.default.contentsOfDirectory(atPath: user.folder(""))
    let partial = try #require(names.first { $0.hasPrefix(".live.wav.") })
    #expect((leftChannel(of: user.folder(partial)).map(abs).max() ?? 0) > 0.001)
  }

  @Test func `the panel of a server shows the keyboard and the level of what it plays`() throws {
    let user = try TemporaryUser.withKeys()
    let terminal = try PseudoTerminal()
    let server = try terminal.start(
      ["serve", "--audio", "hw:Loopback,0", "--period", "8192"], user.variables,
      folder: user.folder.path)
    defer { server.terminate() }
    let keyboard = try EmulatedKeyboard(socket: 0, name: "Stage Piano", serial: "0")
    try keyboard.plug()
    // Each picture of the panel has all lines. What is played before the device is open is not heard.
    #expect(terminal.shows("q quit  hw:Loopback,0"), "\(terminal.rest)")
    #expect(terminal.shows("keyboards: Stage Piano"), "\(terminal.rest)")
    try keyboard.send("90 45 7F")
    #expect(terminal.shows("L###"), "\(terminal.rest)")
    try keyboard.send("80 45 40")
  }
}
