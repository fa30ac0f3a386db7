import ALSA
import LiveAudio
import LiveMIDI
import RenderCore
import SoundTestSupport
import Testing

/// A USB device with several cables, each of which is a port of the sequencer.
@Suite(
  .timeLimit(Rig.timeLimit),
  .enabled(if: Rig.hasKeyboards, "needs USB keyboards, in real time: make test-alsa"), .serialized)
struct CablesTests {
  @Test func `each cable is a source, and does not end notes of another`() throws {
    let test = try TestBridge(wired: ["Interface"])
    let interface = try EmulatedKeyboard(socket: 0, name: "Interface", serial: "7", cables: 4)
    try interface.plug()
    try wait { test.log.told.count == 4 ? () : nil }
    let ports = Set(
      test.log.asked.compactMap { happening -> UInt8? in
        if case .appeared(let port) = happening, port.clientName == "Interface" {
          return port.address.port
        }
        return nil
      })
    #expect(ports == [0, 1, 2, 3])
    var heard: [InputRecorder.Event] = []
    for cable in 0..<4 {
      try interface.send("9\(cable) 3C 64", cable: cable)
      heard += try test.receive(1)
    }
    #expect(Set(heard.map(\.source)).count == 4)
    #expect(
      heard.map(\.content)
        == (0..<4).map { .channel(ChannelMessage(.noteOn, channel: $0, 60, 100)) })
    try interface.unplug()
    let ends = try test.receive(4)
    #expect(ends.count == 4)
    #expect(Set(ends.map(\.source)) == Set(heard.map(\.source)))
  }

  @Test func `each socket of an interface is recognised by its number when it is plugged in again`()
    throws
  {
    let interface = try EmulatedKeyboard(socket: 0, name: "Interface", serial: "7", cables: 3)
    try interface.plug()
    let sequencer = try ALSASequencer(clientName: "Look")
    let ports = try wait {
      let found = try sequencer.ports().filter { $0.clientName == "Interface" && $0.sends }
      return found.count == 3 ? found : nil
    }
    #expect(ports.map(\.address.port) == [0, 1, 2])
    #expect(Set(ports.compactMap(\.device)).count == 1)
    #expect(ports.allSatisfy { $0.device?.serial == "7" })
  }
}
