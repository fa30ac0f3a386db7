import ALSA
import LiveAudio
import LiveMIDI
import RenderCore
import SoundTestSupport
import Testing

/// Tests from keyboards to a port's input.
extension KeyboardTests {
  @Test func `a chord sounds, and ends when the keyboard is unplugged`() throws {
    let test = try TestBridge(wired: ["Played Keys"])
    let keyboard = try EmulatedKeyboard(socket: 0, name: "Played Keys")
    try keyboard.plug()
    try test.waitUntil(hasSources: true)
    try keyboard.send("90 3C 64  90 40 65  90 43 66  B0 40 7F")
    let chord = try test.receive(4)
    #expect(
      chord.map(\.content) == [
        .channel(.noteOn, 60, 100), .channel(.noteOn, 64, 101), .channel(.noteOn, 67, 102),
        .channel(.controlChange, 64, 127),
      ])
    #expect(Set(chord.map(\.source)) == [1])
    #expect(chord.map(\.time) == chord.map(\.time).sorted())
    try keyboard.unplug()
    let end = try test.receive(4)
    #expect(
      end.prefix(3).map(\.content) == [60, 64, 67].map { .channel(.noteOff, $0, 64) })
    #expect(end.last?.content == .channel(.controlChange, 64, 0))
    try test.waitUntil(hasSources: false)
    #expect(test.disconnections == [])
  }

  @Test func `two equal keyboards are two sources`() throws {
    let test = try TestBridge(wired: ["Played Keys"])
    let keyboards = try [0, 1].map { try EmulatedKeyboard(socket: $0, name: "Played Keys") }
    for keyboard in keyboards { try keyboard.plug() }
    _ = try wait { test.log.told.count == 2 ? true : nil }
    for keyboard in keyboards {
      try keyboard.send("90 3C 64")
      _ = try wait { test.recorder.drain().first }
    }
    try keyboards[0].unplug()
    let end = try test.receive(1)
    #expect(end.map(\.content) == [.channel(.noteOff, 60, 64)])
    #expect(end.map(\.source) == [1])
    #expect(test.recorder.input.hasSources)
    try keyboards[1].send("80 3C 40")
    #expect(try test.receive(1).map(\.source) == [2])
  }

  @Test func `its System Exclusive arrives complete`() throws {
    let test = try TestBridge(wired: ["Played Keys"])
    let keyboard = try EmulatedKeyboard(socket: 0, name: "Played Keys")
    try keyboard.plug()
    try test.waitUntil(hasSources: true)
    // The kernel passes it on in parts of 256 bytes. If bytes arrive faster than a keyboard could send them,
    // its raw MIDI buffer holds 4096 of them and drops the rest.
    let message = (0..<2000).map { UInt8(($0 * 31) % 128) }
    let bytes = ([0xF0] + message + [0xF7]).map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }
    try keyboard.send(bytes.joined(separator: " "))
    #expect(try test.receive(1).map(\.content) == [.sysEx(message)])
  }

  @Test func `after it is unplugged ten times while it plays, nothing remains`() throws {
    let test = try TestBridge(wired: ["Played Keys"])
    let keyboard = try EmulatedKeyboard(socket: 0, name: "Played Keys")
    for _ in 1...10 {
      try keyboard.plug()
      try test.waitUntil(hasSources: true)
      try keyboard.send("90 3C 64")
      #expect(try test.receive(1).map(\.source) == [1])
      try keyboard.unplug()
      #expect(try test.receive(1).map(\.content) == [.channel(.noteOff, 60, 64)])
      try test.waitUntil(hasSources: false)
    }
    #expect(try sequencer.ports().filter { $0.clientName == "Played Keys" } == [])
    #expect(test.recorder.drain().isEmpty)
    let turn = [
      BridgeEvent.wired(sender: "Played Keys", port: "Organ"),
      .unwired(sender: "Played Keys", port: "Organ"),
    ]
    test.tells((1...10).flatMap { _ in turn })
  }
}

extension TestBridge {
  /// The disconnections reported to the policy.
  fileprivate var disconnections: [PortChange] {
    log.asked.filter { if case .unsubscribed = $0 { true } else { false } }
  }
}
