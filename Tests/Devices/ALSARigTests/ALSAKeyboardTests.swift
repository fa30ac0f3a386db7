import ALSA
import LiveAudio
import LiveMIDI
import LocalSystem
import RenderCore
import SoundTestSupport
import Testing

@Suite(
  .timeLimit(Rig.timeLimit),
  .enabled(if: Rig.isRealTime, "needs the ALSA sequencer, in real time: make test-alsa"))
struct ALSAKeyboardTests {
  @Test func `it plays the port that it is connected to`() throws {
    let test = try TestBridge()
    let keyboard = try ALSAKeyboard(clientName: "Keys", playing: test.port)
    try test.waitUntil(hasSources: true)
    #expect(test.recorder.input.sourceNames == ["Keys"])
    let before = MonotonicClock.now
    let time = try keyboard.strike(key: 62)
    #expect((before...MonotonicClock.now).contains(time))
    #expect(
      try test.receive(2).map(\.content) == [.channel(.noteOn, 62, 100), .channel(.noteOff, 62, 0)])
  }

  @Test func `other servers do not connect it as a keyboard`() throws {
    let test = try TestBridge(wired: ["Keys"])
    let other = try TestBridge()
    let keyboard = try ALSAKeyboard(clientName: "Keys", playing: other.port)
    try other.waitUntil(hasSources: true)
    let ports = try ALSASequencer(clientName: "Lister").ports().filter { $0.clientName == "Keys" }
    #expect(ports.map(\.sends) == [false])
    #expect(!test.recorder.input.hasSources)
    withExtendedLifetime(keyboard) {}
  }
}
