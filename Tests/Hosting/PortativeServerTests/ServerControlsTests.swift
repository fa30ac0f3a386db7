import FoundationEssentials
import LiveMIDI
import NodeProtocol
import NodeServer
import RenderCore
import ServerTestSupport
import SoundTestSupport
import Synchronization
import TestSupport
import Testing

@testable import PortativeServer

/// Tests of controls on a server without devices: the tests play the keyboards.
@Suite(.timeLimit(.minutes(5))) final class ServerControlsTests {
  private let user = TestUser()
  private let log = TestLog()
  private var server: PortativeServer
  /// What the sound device would play.
  private var played: [(unit: any RenderUnit, recorder: InputRecorder)] = []

  private static let ports = """
    ports: [
      { name: "Test: Grand", subtype: "gran" },
      { name: "Test: Echo", subtype: "echo", unit: "delay", type: "musicEffect" },
    ]
    """

  init() throws {
    try user.system.add("run/folder", "")
    server = try PortativeServer(user.settings, in: user.system.environment, observer: log)
  }

  deinit { server.stop() }

  private func publish(_ controls: String = "") throws {
    try server.publish(user.plan("{ \(Self.ports), controls: [\(controls)] }"))
  }

  private func restart() throws {
    server.stop()
    server = try PortativeServer(user.settings, in: user.system.environment, observer: log)
  }

  private func port(_ name: String = "Test: Grand") throws -> PublishedPort {
    let ports = server.controls.state.withLock { $0.ports.map(\.port) }
    return try #require(ports.first { $0.description.name == name })
  }

  /// A keyboard that plays a port, whose unit the sound device plays.
  private struct Keys {
    let port: PublishedPort
    let unit: any RenderUnit
    let recorder: InputRecorder
    let source: LiveInput.Source

    func send(_ kind: ChannelMessage.Kind, _ first: UInt8, _ second: UInt8 = 0, channel: UInt8 = 0)
    {
      let message = ChannelMessage(kind, channel: channel, first, second)
      port.input.send(.channel(message), from: source, at: 0)
    }

    func turn(_ number: UInt8, _ values: UInt8..., channel: UInt8 = 0) {
      for value in values { send(.controlChange, number, value, channel: channel) }
    }

    func value(_ name: String) -> Float { unit.parameters?.all[name] ?? .nan }

    /// The messages that the unit has received since the last call.
    var received: [[UInt8]] {
      recorder.drain().messages.map { [$0.status, $0.data1, $0.data2] }
    }
  }

  private func keys(
    _ name: String? = "Launchkey", _ number: UInt8 = 1, on port: String = "Test: Grand"
  ) throws -> Keys {
    let port = try self.port(port)
    let source = LiveInput.Source(number)
    port.input.setName(name, of: source)
    if let unit = port.input.playedUnit,
      let recorder = played.last(where: { $0.unit === unit })?.recorder
    {
      return Keys(port: port, unit: unit, recorder: recorder, source: source)
    }
    let unit = try port.makePlayerUnit()
    let recorder = InputRecorder(port.input, for: unit)
    played.append((unit, recorder))
    return Keys(port: port, unit: unit, recorder: recorder, source: source)
  }

  private typealias LearnResult = Result<LearnControl.Response, ProtocolError>

  /// Starts to learn, moves a control when the server waits for it, and returns the answer.
  private func learn(
    _ parameter: String?, of name: String? = "Test: Grand", from: Float? = nil, to: Float? = nil,
    picksUp: Bool? = nil, relative: EncoderMode? = nil, isNote: Bool = false,
    seconds: Double = 30, isOver: Flag = Flag(), _ move: () throws -> Void
  ) throws -> LearnResult {
    let component = try name.map { try port($0).description.component }
    let request = LearnControl(
      of: component, parameter: parameter, from: from, to: to, picksUp: picksUp, relative: relative,
      isNote: isNote, seconds: seconds)
    let controls = server.controls
    let result = Box<LearnResult>()
    let thread = TestThread {
      result.set(
        Result { () throws(ProtocolError) in
          try controls.learn(request, isOver: { isOver.isRaised })
        })
    }
    #expect(eventually { result.value != nil || isLearning })
    try move()
    thread.join()
    return try #require(result.value)
  }

  private var isLearning: Bool {
    server.controls.state.withLock { $0.wish != nil && $0.ports.contains { $0.isLearning } }
  }

  private var learned: [ControlReport] {
    server.controls.reports().filter { $0.origin == .learned }
  }

  @Test func `a moved knob is learned, and the parameter follows it to both ends`() throws {
    try publish()
    let keys = try keys()
    let answer = try learn("reverb.room", from: 0.1, to: 0.8) { keys.turn(21, 10, 20) }.get()
    #expect(
      answer.control?.sentence == "reverb.room follows controller 21 on channel 1 of 'Launchkey'")
    #expect(answer.warning == nil)
    keys.turn(21, 0, 127)
    #expect(keys.value("reverb.room") == 0.8)
    keys.turn(21, 0)
    #expect(keys.value("reverb.room") == 0.1)
    #expect(keys.received.isEmpty)
    // Other controllers, channels and keyboards play.
    keys.turn(22, 5)
    keys.turn(21, 5, channel: 1)
    try self.keys("Other", 2).turn(21, 5)
    #expect(keys.received == [[0xB0, 22, 5], [0xB1, 21, 5], [0xB0, 21, 5]])
    #expect(keys.value("reverb.room") == 0.1)
  }

  @Test func `two keyboards with the same controller control different parameters`() throws {
    try publish()
    let first = try keys("First", 1)
    let second = try keys("Second", 2)
    _ = try learn("reverb.room", picksUp: false) { first.turn(21, 0, 9) }.get()
    _ = try learn("reverb.level", picksUp: false) { second.turn(21, 0, 9) }.get()
    first.turn(21, 127)
    second.turn(21, 0)
    #expect(first.value("reverb.room") == 1 && first.value("reverb.level") == 0)
    second.turn(21, 127)
    first.turn(21, 0)
    #expect(first.value("reverb.room") == 0 && first.value("reverb.level") == 1)
  }

  @Test func `the halves of two keyboards are not mixed`() throws {
    try publish(
      #"{ controller: 21, fine: true, port: "grand", parameter: "reverb.room", pickup: false }"#)
    let first = try keys("First", 1)
    let second = try keys("Second", 2)
    first.turn(21, 64)
    second.turn(53, 127)
    first.turn(53, 0)
    #expect(first.value("reverb.room") == Float(64 * 128.0 / 16383))
    #expect(first.received.isEmpty)
  }

  @Test func `the lower half of a controller that has seven bits plays`() throws {
    try publish(#"{ controller: 21, port: "Grand", parameter: "reverb.room" }"#)
    let keys = try keys()
    keys.turn(53, 7)
    #expect(keys.received == [[0xB0, 53, 7]])
  }

  @Test func `the control is picked up again after another program has set the value`() throws {
    try publish(
      #"{ controller: 21, channel: 1, keyboard: "Launch*", port: "Grand", parameter: "reverb.room" }"#
    )
    let keys = try keys()
    keys.turn(21, 0, 127)
    #expect(keys.value("reverb.room") == 1)
    try keys.unit.parameters?.set("reverb.room", to: 0.5)
    keys.turn(21, 120, 100)
    #expect(keys.value("reverb.room") == 0.5)
    keys.turn(21, 30)
    #expect(keys.value("reverb.room") == Float(30.0 / 127))
  }

  @Test func `a learned control takes precedence over the configuration for the same trigger`()
    throws
  {
    let configured =
      #"{ controller: 21, port: "Grand", parameter: "reverb.level", pickup: false }"#
    try publish(configured)
    let keys = try keys()
    keys.turn(21, 127)
    #expect(keys.value("reverb.level") == 1)
    _ = try learn("reverb.room", picksUp: false) { keys.turn(21, 0, 9) }.get()
    let level = keys.value("reverb.level")
    keys.turn(21, 64)
    #expect(keys.value("reverb.room") == Float(64.0 / 127))
    #expect(keys.value("reverb.level") == level)
    // Another keyboard is still that of the configuration.
    try self.keys("Other", 2).turn(21, 0)
    #expect(keys.value("reverb.level") == 0)
  }

  @Test func `a switch-like parameter follows at once, and a key steps`() throws {
    try publish(
      """
      { controller: 80, port: "Grand", parameter: "chorus.on" },
      { note: 36, port: "Grand", parameter: "reverb.on" },
      """)
    let keys = try keys()
    keys.turn(80, 0)
    #expect(keys.value("chorus.on") == 0)
    keys.turn(80, 127)
    #expect(keys.value("chorus.on") == 1)
    let before = keys.value("reverb.on")
    keys.send(.noteOn, 36, 90)
    keys.send(.noteOff, 36)
    #expect(keys.value("reverb.on") == 1 - before)
    keys.send(.noteOn, 36, 90)
    #expect(keys.value("reverb.on") == before)
    #expect(keys.received.isEmpty)
  }

  @Test func `a panic key ends the sound, and neither its press nor its release plays`() throws {
    try publish()
    let keys = try keys()
    let answer = try learn(nil) { keys.send(.noteOn, 21, 90) }.get()
    #expect(answer.control?.effect == .panic && answer.control?.port == "Test: Grand")
    keys.send(.noteOff, 21)
    #expect(keys.received.isEmpty)
    keys.send(.noteOn, 60, 90)
    #expect(keys.received == [[0x90, 60, 90]])
    keys.send(.noteOn, 21, 90)
    var ends: [[UInt8]] = []
    #expect(
      eventually {
        ends += keys.received
        return ends.contains([0x80, 60, 64]) && ends.filter { $0[1] == 120 }.count == 16
      })
    keys.send(.noteOn, 21, 0)
    #expect(!(ends + keys.received).contains { $0[1] == 21 })
  }

  @Test func `a key that was down before it became a control is released`() throws {
    try publish()
    let keys = try keys()
    keys.send(.noteOn, 36, 90)
    try publish(#"{ note: 36, does: "panic", port: "Grand" }"#)
    keys.send(.noteOff, 36, 64)
    #expect(keys.received == [[0x90, 36, 90], [0x80, 36, 64]])
  }

  @Test func `a pedal that is learned while it is down is released`() throws {
    try publish()
    let keys = try keys()
    _ = try learn("reverb.on") { keys.turn(64, 127, 0) }.get()
    #expect(keys.received == [[0xB0, 64, 127], [0xB0, 64, 0]])
    keys.turn(64, 127, 0, 127, 0)
    #expect(!keys.received.contains([0xB0, 64, 127]))
  }

  @Test
  func `a key changes the scene of what it plays next, and a program change chooses by number`()
    throws
  {
    let controls =
      #"{ note: 21, does: "nextScene" }, { program: "any", channel: 16, does: "scene" }, { note: 22, does: "scene", scene: "Cho" }, { note: 23, does: "scene", scene: "Verso" }"#
    try publish(
      controls + #"], scenes: [{ name: "Verse" }, { name: "Chorus" }"#)
    let keys = try keys()
    keys.send(.noteOn, 21, 90)
    #expect(log.messages.last == "scene: Verse")
    keys.send(.noteOn, 22, 90)
    #expect(log.messages.last == "scene: Chorus")
    keys.send(.programChange, 0, channel: 15)
    #expect(log.messages.last == "scene: Verse")
    keys.send(.programChange, 2, channel: 15)
    #expect(log.messages.last?.contains("there is no scene 3: the set list has 2") == true)
    #expect(log.messages.contains { $0.contains("did you mean 'Verse'?") })
  }

  @Test func `keys transpose all ports, and are not played`() throws {
    try publish(
      #"{ note: 24, does: "transposeUp" }, { note: 25, does: "transposeDown" }, { note: 26, does: "transposeReset" }"#
    )
    let keys = try keys()
    for key in [24, 24, 25] as [UInt8] { keys.send(.noteOn, key, 90) }
    #expect(
      log.messages.suffix(3) == ["transposition: +1", "transposition: +2", "transposition: +1"])
    keys.send(.noteOn, 26, 90)
    #expect(log.messages.last == "transposition: 0")
    #expect(keys.received.isEmpty && server.scenes.transposition == 0)
  }

  @Test func `an action of all ports is done once for a keyboard that plays two`() throws {
    try publish(#"{ note: 21, does: "nextScene" }"#)
    let list = Box<[SceneChoice]>()
    list.set([])
    server.controls.onScene { list.set((list.value ?? []) + [$0]) }
    let (first, second) = (try keys(), try keys(on: "Test: Echo"))
    first.send(.noteOn, 21, 90)
    second.send(.noteOn, 21, 90)
    #expect(list.value == [.step(1)])
    #expect(log.messages.contains { $0.contains("there are no scenes") })
    second.send(.noteOff, 21)
    #expect(second.received.isEmpty)
  }

  @Test func `programs choose scenes by number`() throws {
    try publish(#"{ program: "any", channel: 16, does: "scene" }"#)
    let list = Box<[SceneChoice]>()
    list.set([])
    server.controls.onScene { list.set((list.value ?? []) + [$0]) }
    let keys = try keys()
    keys.send(.programChange, 5, channel: 15)
    keys.send(.programChange, 6, channel: 14)
    #expect(list.value == [.place(5)])
    #expect(keys.received == [[0xCE, 6, 0]])
  }

  @Test(arguments: [
    (EncoderMode.twosComplement, UInt8(1), UInt8(127)), (.offset, 65, 63), (.signMagnitude, 1, 65),
  ])
  func `an encoder is learned, and turns the parameter from where it is`(
    mode: EncoderMode, up: UInt8, down: UInt8
  ) throws {
    try publish()
    let keys = try keys()
    try keys.unit.parameters?.set(["reverb.room": 0.4])
    let answer = try learn("reverb.room", from: 0, to: 1, relative: mode) {
      // A single step of another one, and a key, are none.
      keys.send(.noteOn, 60, 90)
      keys.turn(17, up)
      keys.turn(16, up, up)
    }.get()
    #expect(
      answer.control?.sentence == "reverb.room follows encoder 16 on channel 1 of 'Launchkey'")
    let before = keys.value("reverb.room")
    for _ in 0..<10 { keys.turn(16, up) }
    #expect(abs(keys.value("reverb.room") - before - 10.0 / 127) < 1e-5)
    // A change of the value by others is where the encoder continues.
    try keys.unit.parameters?.set(["reverb.room": 0.9])
    keys.turn(16, down)
    #expect(abs(keys.value("reverb.room") - (0.9 - 1.0 / 127)) < 1e-5)
    for _ in 0..<200 { keys.turn(16, down) }
    #expect(keys.value("reverb.room") == 0)
    for _ in 0..<200 { keys.turn(16, up) }
    #expect(keys.value("reverb.room") == 1)
    #expect(keys.received == [[0x90, 60, 90]])
    // It is stored with its mode.
    try restart()
    #expect(learned.map(\.relative) == [mode] && learned.first?.number == 16)
  }

  @Test func `an encoder of the configuration steps through the values of a stepped parameter`()
    throws
  {
    try publish(
      """
      { controller: 16, relative: "offset", port: "Grand", parameter: "chorus.on" },
      { controller: 17, relative: "offset", port: "Grand", parameter: "reverb.room", from: 1, to: 0 }
      """)
    let keys = try keys()
    keys.turn(16, 65)
    #expect(keys.value("chorus.on") == 1)
    keys.turn(16, 64, 63)
    #expect(keys.value("chorus.on") == 0)
    keys.turn(17, 127, 127, 127)
    #expect(keys.value("reverb.room") == 0)
  }

  @Test func `what was learned survives a restart, and reloads of the configuration`() throws {
    try publish()
    _ = try learn("reverb.room", from: 0.8, to: 0.1, picksUp: false) {
      try self.keys().turn(21, 1, 9)
    }.get()
    let before = learned
    try publish(#"{ controller: 5, port: "Grand", parameter: "reverb.level" }"#)
    #expect(learned == before && before.count == 1)
    try restart()
    try publish()
    #expect(learned == before)
    let keys = try keys()
    keys.turn(21, 127)
    #expect(keys.value("reverb.room") == 0.1)
    keys.turn(21, 0)
    #expect(keys.value("reverb.room") == 0.8)
  }

  @Test func `cleared controls play again, also after a restart`() throws {
    try publish()
    let keys = try keys()
    _ = try learn("reverb.room") { keys.turn(21, 1, 9) }.get()
    _ = try learn("reverb.level") { keys.turn(22, 1, 9) }.get()
    _ = try learn(nil) { keys.send(.noteOn, 21, 9) }.get()
    func clear(_ request: ClearControls) throws -> Int { try server.controls.clear(request).count }
    #expect(
      try clear(ClearControls(.parameter, port: "Test: Grand", parameter: "reverb.room")) == 1)
    keys.turn(21, 5)
    #expect(keys.received == [[0xB0, 21, 5]])
    #expect(try clear(ClearControls(.port, port: "Test: Echo")) == 0)
    #expect(try clear(ClearControls(.panic, port: "Test: Grand")) == 1)
    #expect(learned.map(\.parameter) == ["reverb.level"])
    try restart()
    try publish()
    #expect(learned.map(\.parameter) == ["reverb.level"])
    #expect(try clear(ClearControls(.all)) == 1)
    #expect(learned.isEmpty)
  }

  @Test func `learning a parameter again replaces its control`() throws {
    try publish()
    let keys = try keys()
    _ = try learn("reverb.room") { keys.turn(21, 1, 9) }.get()
    _ = try learn("reverb.room") { keys.turn(22, 1, 9) }.get()
    #expect(learned.map(\.number) == [22])
  }

  @Test func `a wish that is cancelled is forgotten`() throws {
    try publish()
    let over = Flag()
    let answer = try learn("reverb.room", isOver: over) { over.raise() }.get()
    #expect(answer.control == nil)
    let keys = try keys()
    keys.turn(21, 1, 99)
    #expect(keys.received == [[0xB0, 21, 1], [0xB0, 21, 99]] && learned.isEmpty)
  }

  @Test func `learning ends after its time`() throws {
    try publish()
    let answer = try learn("reverb.room", seconds: 0.2) {}.get()
    #expect(answer.control == nil && !isLearning)
  }

  @Test func `only one program learns at a time`() throws {
    try publish()
    let keys = try keys()
    let answer = try learn("reverb.room") {
      let error = #expect(throws: ProtocolError.self) {
        try server.controls.learn(
          LearnControl(of: nil, seconds: 30), isOver: { false })
      }
      #expect(error?.code == .notLearned)
      keys.turn(21, 1, 9)
    }.get()
    #expect(answer.control?.parameter == "reverb.room")
  }

  @Test func `a port that is withdrawn ends learning`() throws {
    try publish()
    let result = try learn("feedback", of: "Test: Echo") {
      try server.publish(user.plan(#"{ ports: [{ name: "Test: Grand", subtype: "gran" }] }"#))
    }
    #expect(throws: ProtocolError.self) { try result.get() }
    #expect(!isLearning)
  }

  @Test func `a port or parameter that is gone is listed with the reason`() throws {
    try user.system.add(
      "state/portative/controls.json",
      """
      { version: 1, controls: [
        { node: "portative", control: { controller: 5, port: "Gone", parameter: "gain" } },
        { node: "portative", control: { controller: 6, port: "Test: Grand", parameter: "gian" } },
      ] }
      """)
    try restart()
    try publish()
    #expect(
      learned.map(\.problem) == [
        "there is no port 'Gone' now", "there is no parameter 'gian': did you mean gain?",
      ])
    let keys = try keys()
    keys.turn(6, 1, 99)
    #expect(keys.received.isEmpty)
  }

  @Test(arguments: [
    "{", "[]", #"{"version": 1, "controls": [{"node": "portative"}]}"#,
    #"{"version": 1, "controls": [{"node": "portative", "control": {"controller": "x"}}]}"#,
  ])
  func `an unusable file is renamed, and learning goes on`(content: String) throws {
    try user.system.add("state/portative/controls.json", content)
    try restart()
    try publish()
    #expect(log.messages.contains { $0.contains("learned controls") && $0.contains("unusable") })
    let keys = try keys()
    #expect(try learn("reverb.room") { keys.turn(21, 1, 9) }.get().warning == nil)
    try restart()
    try publish()
    #expect(learned.count == 1)
    let aside = "\(user.system.root)/state/portative/controls.json.broken"
    #expect(
      FileManager.default.contents(atPath: aside).map { String(decoding: $0, as: UTF8.self) }
        == content)
  }

  @Test func `a newer version's file is not changed, and the program learns why`() throws {
    let newer = #"{"version": 2, "knobs": {}}"#
    try user.system.add("state/portative/controls.json", newer)
    try restart()
    try publish()
    let keys = try keys()
    let answer = try learn("reverb.room") { keys.turn(21, 1, 9) }.get()
    #expect(answer.warning?.contains("has version 2 of a newer Portative") == true)
    let path = "\(user.system.root)/state/portative/controls.json"
    #expect(
      FileManager.default.contents(atPath: path).map { String(decoding: $0, as: UTF8.self) }
        == newer)
    // Until the server ends, the control works.
    keys.turn(21, 0, 127)
    #expect(keys.value("reverb.room") == 1)
  }

  @Test func `invalid controls of a file are ignored one by one, and kept`() throws {
    try user.system.add(
      "state/portative/controls.json",
      """
      { version: 1, controls: [
        { node: "portative", control: { controller: 500, port: "A", parameter: "b" } },
        { node: "portative", control: { note: 5 } },
        { node: "portative", control: { note: 6, does: "panic" } },
        { node: "other", control: { note: 7, does: "panic" } },
      ] }
      """)
    try restart()
    try publish()
    #expect(learned.map(\.number) == [6])
    #expect(log.messages.filter { $0.contains("is ignored") }.count == 2)
    let keys = try keys()
    _ = try learn("reverb.room") { keys.turn(21, 1, 9) }.get()
    let path = "\(user.system.root)/state/portative/controls.json"
    let text = String(decoding: FileManager.default.contents(atPath: path) ?? Data(), as: UTF8.self)
    #expect(text.contains("500") && text.contains("other") && text.contains("21"))
  }

  @Test func `two servers share the file, and each has its own controls`() throws {
    var settings = user.settings
    settings.node = "second"
    try publish()
    let second = try PortativeServer(settings, in: user.system.environment, observer: log)
    defer { second.stop() }
    let keys = try keys()
    _ = try learn("reverb.room") { keys.turn(21, 1, 9) }.get()
    #expect(second.controls.reports().isEmpty)
    _ = try second.controls.clear(ClearControls(.all))
    try restart()
    try publish()
    #expect(learned.count == 1)
  }

  @Test func `a port without a unit keeps what its controls set`() throws {
    try publish(
      #"{ controller: 21, port: "Grand", parameter: "reverb.room", to: 0.75, pickup: false }"#)
    let port = try port()
    for value in UInt8(0)...127 {
      let message = ChannelMessage(.controlChange, channel: 0, 21, value)
      port.input.send(.channel(message), from: LiveInput.Source(1), at: 0)
    }
    #expect(
      try eventually { try port.makePlayerUnit().parameters?.all["reverb.room"] == 0.75 })
  }

  @Test func `settings that a control makes are those of the next unit`() throws {
    try publish(#"{ controller: 21, port: "Grand", parameter: "reverb.room", pickup: false }"#)
    let keys = try keys()
    for _ in 0..<1000 { keys.turn(21, 3, 99) }
    #expect(
      try eventually {
        try keys.port.makePlayerUnit().parameters?.all["reverb.room"] == Float(99.0 / 127)
      })
  }

  @Test func `without controls a port has no filter, and others cost less than 1 µs`() throws {
    try publish(#"{ controller: 21, port: "Grand", parameter: "reverb.room" }"#)
    let controls = try #require(server.controls.state.withLock { $0.ports.first })
    let other = MIDIContent.channel(ChannelMessage(.controlChange, channel: 0, 22, 5))
    let input = controls.port.input
    let count = 20_000
    var best = Duration.seconds(1)
    for _ in 0..<5 {
      let begin = ContinuousClock.now
      for _ in 0..<count {
        _ = controls.handles(other, from: LiveInput.Source(1), of: input)
      }
      best = min(best, (ContinuousClock.now - begin) / count)
    }
    // This is a debug build on a busy machine; the release build needs much less.
    #expect(best < .microseconds(10), "\(best)")
  }
}

/// A value that threads exchange.
private final class Box<Value: Sendable>: Sendable {
  private let state = Mutex<Value?>(nil)
  var value: Value? { state.withLock { $0 } }
  func set(_ value: Value) { state.withLock { $0 = value } }
}

/// Tests of controls in the configuration.
@Suite(.timeLimit(.minutes(5))) struct ConfiguredControlsTests {
  private let user = TestUser()

  @Test(arguments: [
    (
      "{ }",
      "3:2: 'controls[0]': a control needs one of controller, note, program, pitchBend and pressure"
    ),
    ("{ controller: 21 }", "3:2: 'controls[0]': a control needs a parameter, or does: one of"),
    (
      #"{ controller: 120, does: "panic" }"#,
      "3:16: 'controls[0].controller' must be 0 to 119, but is 120"
    ),
    (
      #"{ controller: 32, fine: true, does: "panic" }"#,
      "3:16: 'controls[0].controller' must be 0 to 31, the upper half, but is 32"
    ),
    (
      #"{ note: 1, channel: 0, does: "panic" }"#,
      "3:22: 'controls[0].channel' must be 1 to 16, but is 0"
    ),
    (#"{ note: 1, does: "panik" }"#, "did you mean 'panic'?"),
    (
      #"{ controller: 1, relative: "twos", port: "Grand", parameter: "gain" }"#,
      "'controls[0].relative' must be"
    ),
    (
      #"{ controller: 1, relative: "offset", fine: true, port: "Grand", parameter: "gain" }"#,
      "'controls[0].relative' is used only with a controller of seven bits"
    ),
    (
      #"{ controller: 1, relative: "offset", pickup: true, port: "Grand", parameter: "gain" }"#,
      "an encoder has no position"
    ),
    (
      #"{ controller: 1, relative: "offset", does: "panic" }"#,
      "'controls[0].relative' is used only with a parameter"
    ),
    (
      #"{ note: 1, controller: 2, does: "panic" }"#,
      "'controls[0].note' cannot be combined with controller"
    ),
    (
      #"{ note: 1, port: "Grnd", parameter: "gain" }"#,
      "3:19: 'controls[0].port' must be the name of a port that accepts MIDI, but is 'Grnd': did you mean 'Grand'?"
    ),
    (
      #"{ note: 1, port: "test", parameter: "gain" }"#,
      "'controls[0].port' is ambiguous: 'test' is a part of"
    ),
    (#"{ note: 1, parameter: "gain" }"#, "a parameter needs its port"),
    (
      #"{ note: 1, port: "Grand", parameter: "gian" }"#,
      "3:39: 'controls[0].parameter' cannot be controlled: there is no parameter 'gian': did you mean gain?"
    ),
    (
      #"{ note: 1, port: "Grand", parameter: "gain", to: 99 }"#,
      "3:51: 'controls[0].to' is out of range: gain must be -96 to 24 dB, but is 99"
    ),
    (#"{ program: "all", does: "panic" }"#, "it must be a whole number or \"any\""),
    (#"{ note: 1, does: "scene" }"#, "needs scene: \"NAME\", or program: \"any\""),
    (#"{ note: 1, does: "panic", from: 1 }"#, "'controls[0].from' is a value of a parameter"),
  ])
  func `an error has its place and a remedy`(control: String, sentence: String) throws {
    let configuration = """
      { ports: [{ name: "Test: Grand", subtype: "gran" }, { name: "Test: Other", subtype: "othr" }],
      controls: [
       \(control),
      ] }
      """
    let error = try #require(throws: (any Error).self) {
      _ = try user.plan(configuration).load()
    }
    #expect("\(error)".contains(sentence), "\(error)")
  }

  @Test func `controls with unknown fields cause a warning`() throws {
    let log = TestLog()
    _ = try user.plan(
      #"{ controls: [{ contoller: 1, note: 1, does: "panic" }] }"#, log)
    #expect(log.messages.contains { $0.contains("did you mean 'controller'?") })
  }

  @Test func `each control is stored as it was configured`() throws {
    let plan = try user.plan(
      """
      { controls: [
        { controller: 21, channel: 1, keyboard: "Launchkey*", port: "General MIDI Multi", parameter: "reverb.room", from: 0.1, to: 0.8 },
        { controller: 7, fine: true, port: "Layer", parameter: "gain", pickup: false },
        { note: 21, does: "panic" }, { program: 3, does: "panic", port: "Layer" },
        { pitchBend: true, port: "Layer", parameter: "gain" },
        { pressure: true, does: "panic" }, { program: "any", does: "scene" },
        { note: 1, does: "scene", scene: "Verse" }, { note: 2, does: "nextScene" },
        { note: 3, does: "previousScene" },
      ] }
      """)
    #expect(plan.controls.count == 10)
    for control in plan.controls { #expect(try Control(control.settings, ports: nil) == control) }
  }
}
