import ALSA
import ProgramTestSupport
import RenderCore
import SoundTestSupport
import TestSupport
import Testing

/// Modules that zones and scenes play: clients of the real sequencer.
@Suite(
  .timeLimit(Rig.timeLimit),
  .enabled(if: Rig.hasKeyboards && Rig.hasLoopback, "needs the rig, in real time: make test-alsa"),
  .serialized)
struct ModuleTests {
  /// A program that other clients play.
  private final class Module {
    private let sequencer: ALSASequencer
    private(set) var received: [[UInt8]] = []

    init() throws {
      sequencer = try ALSASequencer(clientName: "Rig Module")
      _ = try sequencer.addPort(named: "In")
    }

    /// Waits until the last messages are these.
    func receives(_ expected: [[UInt8]]) throws {
      try wait {
        while let event = try sequencer.nextEvent() {
          guard case .messages(let messages) = event.content else { continue }
          received += messages.map { message in
            message.kind == .programChange
              ? [message.status, message.data1] : [message.status, message.data1, message.data2]
          }
        }
        return received.suffix(expected.count) == expected[...] ? () : nil
      }
    }
  }

  private static let configuration = """
    { ports: [{ name: "Test: Stage", subtype: "stag" }],
      outputs: [{ name: "Module", connect: ["Rig Module"] }],
      scenes: [{ name: "Verse", ports: { "Test: Stage": { zones: [
          { keys: "..B3", output: "Module", outputChannel: 3, transpose: 12 }, { keys: "C4.." } ] } },
        send: [{ output: "Module", channel: 3, bank: 1, program: 12 }] }] }
    """
  private static let settings: [[UInt8]] = [[0xB2, 0, 1], [0xC2, 12]]

  @Test(arguments: [true, false])
  func `a keyboard plays a module beside the port, and its notes end when it is unplugged`(
    hasDevice: Bool
  ) throws {
    let user = try TemporaryUser()
    try user.configure(Self.configuration)
    let module = try Module()
    let device =
      hasDevice ? ["--audio", "hw:Loopback,0", "--period", "8192"] : ["--audio", "none"]
    let server = try user.serve(["--midi", "alsa"] + device)
    try server.says("output 'Module': plays In")
    let keyboard = try EmulatedKeyboard(socket: 0, name: "Stage Piano", serial: "0")
    try keyboard.plug()
    try server.says("played by Stage Piano")
    #expect(try user.run("scene", "verse").outputText == "Verse\n")
    try module.receives(Self.settings)
    try keyboard.send("90 30 64 90 48 64 B0 40 7F")
    try module.receives(Self.settings + [[0x92, 60, 100], [0xB2, 64, 127]])
    try keyboard.unplug()
    try module.receives([[0x82, 60, 64], [0xB2, 64, 0]])
  }

  @Test func `a module that returns receives the settings of the scene again`() throws {
    let user = try TemporaryUser()
    try user.configure(Self.configuration)
    let server = try user.serve("--midi", "alsa", "--audio", "none")
    #expect(try user.run("scene", "verse").outputText == "Verse\n")
    for _ in 1...2 {
      let module = try Module()
      try module.receives(Self.settings)
      withExtendedLifetime(module) {}
    }
    try server.says("output 'Module': no longer plays In")
  }

  @Test func `notes end: those of a module when the server stops`() throws {
    let user = try TemporaryUser()
    try user.configure(Self.configuration)
    let module = try Module()
    let server = try user.serve("--midi", "alsa", "--audio", "none")
    let keyboard = try EmulatedKeyboard(socket: 0, name: "Stage Piano", serial: "0")
    try keyboard.plug()
    try server.says("played by Stage Piano")
    #expect(try user.run("scene", "verse").outputText == "Verse\n")
    try keyboard.send("90 30 64")
    try module.receives([[0x92, 60, 100]])
    server.send(15)
    try module.receives([[0x82, 60, 64]])
  }
}
