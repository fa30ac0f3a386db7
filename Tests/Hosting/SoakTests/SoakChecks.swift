import LiveMIDI
import NodeServer
import PortativeServer
import RenderCore

@testable import WebPanel

/// What must be true after each step, and after all keys are up.
struct SoakChecks {
  let stage: SoakStage

  /// −120 dBFS: FluidSynth's reverb never decays to zero, because it adds a constant against denormal numbers.
  private static let silence: Float = 1e-6

  func expectNothingLost() throws {
    if let error = stage.log.errors.first { throw SoakViolation("logged: \(error)") }
    if stage.sound.hasInvalidSamples { throw SoakViolation("a sample was not finite") }
    if stage.server.lostEventsOfTakes > 0 {
      throw SoakViolation("\(stage.server.lostEventsOfTakes) events of the take were lost")
    }
    for port in stage.ports {
      if port.input.refused > 0 { throw SoakViolation("\(port.input.refused) events were refused") }
      for figure in port.input.playbackStatistics?.unit ?? []
      where figure.name == "late notes" && figure.value > 0 {
        throw SoakViolation("\(figure.value) notes were late")
      }
    }
  }

  /// Expects silence, because nobody holds a key. Then a key of each port must sound, and end.
  func expectSilence() throws {
    try stage.play(until: "hosts and pages are gone") {
      stage.isReady
        && stage.ports.allSatisfy { port in
          !port.input.isHosted && port.hosts.isEmpty
            && !port.input.sourceNames.contains(PanelSources.name)
        }
    }
    try expectSilence("after all keys are up")
    for port in stage.ports.indices {
      let keyboard = SoakKeyboard(port: port, source: LiveInput.Source(47))
      stage.plug(keyboard)
      try stage.playUntilReady()
      try expectSound(of: keyboard)
      try expectSilence("after a key is up")
      stage.pull(keyboard)
    }
  }

  /// The longest release and reverb of the SoundFont end within a minute.
  private func expectSilence(_ when: String) throws {
    var seconds = 0
    while stage.sound.play(seconds: 1) > Self.silence {
      seconds += 1
      if seconds == 60 { throw SoakViolation("a note is stuck \(when)") }
    }
    // A stuck note of a piano would also end. A device that is just being opened has not read the events yet.
    try stage.play(until: "no key is held \(when)") {
      stage.ports.allSatisfy { !$0.input.playedKeys.contains(where: \.isHeld) }
    }
  }

  /// Strikes keys until one sounds: a port returns from a host to the device on another thread, and not every preset
  /// has every key.
  private func expectSound(of keyboard: SoakKeyboard) throws {
    let deadline = ContinuousClock.now + .seconds(60)
    var key: UInt8 = 60
    while ContinuousClock.now < deadline {
      stage.send(ChannelMessage(.noteOn, channel: 0, key, 100), from: keyboard)
      let peak = stage.sound.play(seconds: 1)
      stage.send(ChannelMessage(.noteOff, channel: 0, key, 64), from: keyboard)
      if peak > 1e-5 { return }
      key = 36 + (key + 1) % 60
    }
    let input = stage.ports[keyboard.port].input
    throw SoakViolation(
      "all keys are silent: device \(stage.sound.isRunning), sources \(input.sourceNames), "
        + "statistics \(input.playbackStatistics.map { "\($0.cycles) cycles, \($0.unit)" } ?? "none"), "
        + "parameters \(input.playedUnit?.parameters?.all ?? [:])")
  }
}
