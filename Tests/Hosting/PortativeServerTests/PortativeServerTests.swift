import LiveAudio
import LiveMIDI
import LocalSystem
import NodeProtocol
import NodeServer
import ServerTestSupport
import SoundTestSupport
import Synchronization
import TestSupport
import Testing

@testable import PortativeServer

/// Returns a configuration with two ports.
///
/// - Parameter gain: The gain of the second port, in decibels.
private func configuration(gain: Int) -> String {
  """
  { ports: [
    { name: "Test: Same", subtype: "same", unit: "metronome" },
    { name: "Test: Changing", subtype: "chan", gain: \(gain) },
  ] }
  """
}

@Suite(.timeLimit(.minutes(5))) final class PortativeServerTests {
  private let user = TestUser()
  private let log = TestLog()
  private let server: PortativeServer

  init() throws {
    try user.system.add("run/folder", "")
    server = try PortativeServer(user.settings, in: user.system.environment, observer: log)
  }

  deinit { server.stop() }

  /// The messages since the last call.
  private var messages: ArraySlice<String> {
    defer { count = log.messages.count }
    return log.messages.dropFirst(count)
  }
  private var count = 0

  private func publish(_ configuration: String) throws {
    try server.publish(user.plan(configuration))
  }

  @Test func `a changed plan replaces only the ports that have changed`() throws {
    try publish(configuration(gain: 0))
    #expect(
      messages == [
        "SoundFont: \(bundledSoundFont) (named by PORTATIVE_SOUNDFONT)", "Test: Same: published",
        "Test: Changing: published",
      ])
    try publish(configuration(gain: 0))
    #expect(messages == [])
    try publish(configuration(gain: 3))
    #expect(messages == ["Test: Changing: withdrawn", "Test: Changing: published"])
    try publish(
      #"{ ports: [{ name: "A: B", subtype: "one ", soundfont: "\#(bundledSoundFont)" }] }"#)
    #expect(
      messages == [
        "Test: Same: withdrawn", "Test: Changing: withdrawn",
        "A: B: published, with \(bundledSoundFont)",
      ])
  }

  @Test func `a plan that cannot be loaded changes nothing`() throws {
    try publish(configuration(gain: 0))
    _ = messages
    let error = try #require(throws: Failure.self) {
      try publish(#"{ ports: [{ name: "A: B", subtype: "one ", soundfont: "/none.sf2" }] }"#)
    }
    #expect(error.kind == .soundFontUnusable)
    #expect(error.message.hasPrefix("A: B cannot be played: cannot read the SoundFont /none.sf2"))
    #expect(messages == [])
    try publish(configuration(gain: 0))
    #expect(messages == [])
  }

  @Test func `a broken port does not stop the others, and its scenes are reported`() throws {
    let configuration = """
      { ports: [
          { name: "Test: Broken", subtype: "brok", soundfont: "/none.sf2" },
          { name: "Test: Wrong", subtype: "wrong" },
          { name: "Test: Echo", subtype: "echo", unit: "chain", type: "musicEffect", nodes: ["Test: Echo"] },
          { name: "Test: Good", subtype: "good", unit: "metronome" },
        ],
        scenes: [
          { name: "Intro", ports: { "Test: Broken": { preset: { bank: 0, program: 0 } } } },
          { name: "Verse", ports: { "Test: Wrong": { preset: { bank: 0, program: 0 } } } },
        ],
        controls: [{ controller: 20, port: "Test: Wrong", parameter: "gain" }],
      }
      """
    #expect(throws: (any Error).self) { try user.plan(configuration).load() }
    try server.publish(user.plan(configuration, skippingBrokenPorts: true, log))
    #expect(server.publishedPorts.map(\.description.name) == ["Test: Good"])
    let errors = messages.filter { $0.hasPrefix("error: ") }
    #expect(errors.count == 3)
    for part in [
      "'ports[1].subtype'", "'ports[2].nodes' contains a cycle",
      "Test: Broken cannot be played: cannot read the SoundFont /none.sf2",
    ] {
      #expect(errors.contains { $0.contains(part) }, "\(part)")
    }
    let plan = try user.plan(configuration, skippingBrokenPorts: true)
    let problems = try plan.loadScenes(plan.load(), log).scenes.scenes.map(\.problem)
    #expect(
      problems == [
        "scene 'Intro' cannot be played: the port 'Test: Broken' is broken",
        "scene 'Verse' cannot be played: the port 'Test: Wrong' is broken",
      ])
  }

  @Test func `a port that a reload breaks stays as it was until it is repaired`() throws {
    try publish(configuration(gain: 0))
    let port = server.publishedPorts[1]
    _ = messages
    let broken = configuration(gain: 999)
    try server.publish(user.plan(broken, skippingBrokenPorts: true, log))
    #expect(messages.last == "Test: Changing: stays as it was")
    #expect(server.publishedPorts[1] === port)
    try publish(configuration(gain: 3))
    #expect(messages == ["Test: Changing: withdrawn", "Test: Changing: published"])
  }

  @Test func `a configuration without any port that can be published is refused`() throws {
    let configuration = #"{ ports: [{ name: "A: B", subtype: "one ", soundfont: "/none.sf2" }] }"#
    #expect(throws: Failure.self) {
      try server.publish(user.plan(configuration, skippingBrokenPorts: true))
    }
  }

  @Test func `ports that differ from the manifest are refused with the command to run`() throws {
    let installation = try NodeInstallation(
      user.settings, user.plan(configuration(gain: 0)), in: user.system.environment)
    _ = try installation.run()
    try publish(configuration(gain: 3))
    let error = try #require(throws: Failure.self) {
      try publish(#"{ ports: [{ name: "A: B", subtype: "one " }] }"#)
    }
    #expect(error.message.contains("'portative serve --audio none --midi none --install'"))
  }

  @Test func `a second server with the same name is refused`() throws {
    #expect(throws: (any Error).self) {
      try PortativeServer(user.settings, in: user.system.environment, observer: log)
    }
  }

  @Test func `a stopped server keeps nothing of its ports and its sound device`() throws {
    let user = TestUser()
    try user.system.add("run/folder", "")
    user.settings.sound = SoundChoice()
    let device = ManualDevice()
    weak var port: PublishedPort?
    weak var playback: PlaybackGroup?
    do {
      let server = try PortativeServer(
        user.settings, in: user.system.environment,
        opening: { () throws(SoundDeviceError) in device }, observer: log)
      try server.publish(user.plan(configuration(gain: 0)))
      port = server.publishedPorts[1]
      playback = server.devices.playback
      port?.input.sourceNames = ["Keyboard"]
      #expect(eventually { port?.input.playedUnit != nil })
      server.stop()
    }
    #expect(eventually { port == nil && playback == nil })
  }

  @Test func `why there is no sound is known until there is sound`() throws {
    #expect(server.soundSilence?.kind == SoundSilence.Kind.none)
    let user = TestUser()
    try user.system.add("run/folder", "")
    user.settings.sound = SoundChoice()
    let device = ManualDevice()
    let plug = Plug()
    let server = try PortativeServer(
      user.settings, in: user.system.environment,
      opening: { () throws(SoundDeviceError) in
        if plug.isIn.load(ordering: .relaxed) { return device }
        throw SoundDeviceError(device: "stage", isTemporary: true, reason: "it is unplugged")
      }, observer: log)
    defer { server.stop() }
    try server.publish(user.plan(configuration(gain: 0)))
    let port = server.publishedPorts[1]
    port.input.sourceNames = ["Keyboard"]
    let silence = SoundSilence(.unusable, device: "stage", reason: "it is unplugged")
    #expect(eventually { server.soundSilence == silence })
    plug.isIn.store(true, ordering: .relaxed)
    server.restartSound()
    // A device that is open plays from its first cycle on.
    #expect(
      eventually {
        _ = device.cycle(256, now: MonotonicClock.now)
        return server.soundSilence == nil
      })
    plug.isIn.store(false, ordering: .relaxed)
    device.report(.lost(reason: "unplugged"))
    #expect(eventually { server.soundSilence != nil })
  }

  private final class Plug: Sendable {
    let isIn = Atomic(false)
  }

  @Test func `without a sound device the log says so`() {
    server.logSoundDevice()
    #expect(messages == ["sound: none (--audio none): ports are heard only through hosts"])
  }
}
