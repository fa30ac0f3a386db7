import ProgramTestSupport
import TestSupport
import Testing

/// Two keyboards that play one port of `portative serve`: neither ends the other's notes.
@Suite(
  .timeLimit(Rig.timeLimit),
  .enabled(if: Rig.hasKeyboards && Rig.hasLoopback, "needs the rig, in real time: make test-alsa"),
  .serialized)
struct SharedPortTests {
  private let user: TemporaryUser
  private let server: Program
  private let first: EmulatedKeyboard
  private let second: EmulatedKeyboard
  /// Church organ: it sounds as long as a key is down.
  private let organ = "C0 13"

  init() throws {
    user = try .withKeys()
    server = try user.serve("--midi", "alsa", "--audio", "hw:Loopback,0", "--period", "8192")
    first = try EmulatedKeyboard(socket: 0, name: "First", serial: "1")
    second = try EmulatedKeyboard(socket: 1, name: "Second", serial: "2")
    try first.plug()
    try server.says("Test: Keys: played by First")
    try second.plug()
    try server.says("Test: Keys: played by Second")
    try server.says("sound: hw:Loopback,0: 48000 Hz")
  }

  /// Repeatedly records two seconds and returns whether 220 Hz and 1175 Hz, which is not an overtone of it,
  /// become audible or silent as expected. A busy machine may interrupt the sound briefly; ended notes do not
  /// return.
  private func hears(low: Bool, high: Bool) throws -> Bool {
    for _ in 0..<12 {
      let heard = try Recorder(in: user.folder, seconds: 2).left()
      let end = heard.count - 9600
      let levels = [220, 1174.7].map { level(of: $0, in: heard, from: end) }
      if zip(levels, [low, high]).allSatisfy({ $1 ? $0 > 0.003 : $0 < 1e-4 }) { return true }
    }
    return false
  }

  @Test func `a keyboard that is unplugged leaves the key that another holds`() throws {
    try second.send("\(organ) 90 45 64")
    try first.send("90 45 64 90 56 64")
    #expect(try hears(low: true, high: true))
    try first.unplug()
    try server.says("no longer played by First")
    #expect(try hears(low: true, high: false))
    try second.send("80 45 40")
    #expect(try hears(low: false, high: false))
  }

  @Test func `a keyboard that is unplugged leaves the pedal that another holds`() throws {
    try second.send("\(organ) B0 40 7F 90 45 64 80 45 40")
    try first.send("B0 40 7F 90 56 64 80 56 40")
    try first.unplug()
    try server.says("no longer played by First")
    // Notes that a pedal holds belong to the channel, regardless of the source that struck them.
    #expect(try hears(low: true, high: true))
    try second.send("B0 40 00")
    #expect(try hears(low: false, high: false))
  }

  @Test func `a disconnected MIDI cable ends its notes by Active Sensing`()
    throws
  {
    try second.send("\(organ) 90 45 64")
    try first.send("90 56 64 FE")
    try server.says("nothing comes from First any more, not even Active Sensing")
    #expect(try hears(low: true, high: false))
    try first.send("90 56 64")
    try server.says("First sends again")
    #expect(try hears(low: true, high: true))
  }
}
