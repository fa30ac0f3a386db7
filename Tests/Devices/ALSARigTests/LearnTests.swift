import Foundation
import ProgramTestSupport
import TestSupport
import Testing

/// Tests of `portative set --learn` with a keyboard whose knobs are turned.
@Suite(
  .timeLimit(Rig.timeLimit), .enabled(if: Rig.hasKeyboards, "needs the rig: make test-alsa"),
  .serialized)
struct LearnTests {
  @Test func `a knob that is turned is learned, and its parameter follows it after a restart`()
    throws
  {
    let user = try TemporaryUser.withKeys()
    var server = try user.serve("--midi", "alsa", "--audio", "none")
    let keyboard = try EmulatedKeyboard(socket: 0, name: "Knobs", serial: "0")
    try keyboard.plug()
    try server.says("played by Knobs")
    let learn = try user.start(
      "set", "keys", "--learn", "reverb.room", "--to", "0.75", "--no-pickup")
    try wait { learn.errors.contains("move a control") ? () : nil }
    // Also before the node listens: it learns from later messages.
    try wait {
      try keyboard.send("B0 15 00 B0 15 20 B0 15 40")
      return learn.output.isEmpty ? nil : ()
    }
    let result = try learn.result(within: 60)
    #expect(
      result.outputText == "reverb.room follows controller 21 on channel 1 of 'Knobs'\n")
    func follows(_ bytes: String, _ value: String) throws {
      try keyboard.send(bytes)
      try wait {
        try user.run("info", "keys", "reverb.room").outputText == "\(value)\n" ? () : nil
      }
    }
    try follows("B0 15 7F", "0.75")
    try follows("B0 15 00", "0")
    server.send(SIGTERM)
    _ = try server.result(within: 60)
    server = try user.serve("--midi", "alsa", "--audio", "none")
    try server.says("played by Knobs")
    try follows("B0 15 7F", "0.75")
    let list = try user.run("set", "--learned").outputText
    #expect(list.contains("controller 21 on channel 1 of 'Knobs'") && list.contains("learned"))
  }
}
