import LiveMIDI
import RenderCore
import TestSupport

/// Players at keyboards that are plugged and pulled while keys are down.
struct SoakKeyboards: SoakActor {
  private enum Action: Sendable { case play, release, control, sysEx, plug, pull }
  private static let choice = SoakChoice<Action>([
    .play: 40, .release: 30, .control: 20, .sysEx: 2, .plug: 12, .pull: 4,
  ])

  private var plugged: Set<SoakKeyboard> = []
  private var held: [SoakKeyboard: Set<UInt8>] = [:]

  var weight: Int { Self.choice.weight }

  mutating func act(on stage: SoakStage, _ random: inout Seeded) -> String {
    let action = Self.choice.next(&random)
    if case .plug = action { return plug(on: stage, &random) }
    guard let keyboard = plugged.sorted().randomElement(using: &random) else {
      return "no keyboard is there to \(action)"
    }
    switch action {
    case .plug: break
    case .pull: pull(keyboard, on: stage)
    case .play: return play(keyboard, on: stage, &random)
    case .release:
      for key in (held[keyboard] ?? []).sorted() where Bool.random(using: &random) {
        release(key, of: keyboard, on: stage)
      }
    case .control:
      let message = Self.control(&random)
      stage.send(message, from: keyboard)
      return "\(message)"
    // GM System On.
    case .sysEx: stage.send(.sysEx([0x7E, 0x7F, 0x09, 0x01]), from: keyboard)
    }
    return "\(action) at keyboard \(keyboard.source.number) of port \(keyboard.port)"
  }

  /// Pulls every other keyboard while keys are down, and releases the keys and pedals of the rest.
  mutating func end(on stage: SoakStage) {
    for (index, keyboard) in plugged.sorted().enumerated() {
      if index % 2 == 0 {
        for key in UInt8(60)..<64 {
          stage.send(ChannelMessage(.noteOn, channel: 0, key, 100), from: keyboard)
        }
        stage.sound.play(seconds: 0.1)
        pull(keyboard, on: stage)
        continue
      }
      for key in (held[keyboard] ?? []).sorted() { release(key, of: keyboard, on: stage) }
      for pedal in [UInt8(64), 66, 67] {
        stage.send(ChannelMessage(.controlChange, channel: 0, pedal, 0), from: keyboard)
      }
    }
  }

  private mutating func plug(on stage: SoakStage, _ random: inout Seeded) -> String {
    let keyboard = SoakKeyboard(
      port: .random(in: 0..<2, using: &random),
      source: LiveInput.Source(.random(in: 1...4, using: &random)))
    plugged.insert(keyboard)
    stage.plug(keyboard)
    return "plug keyboard \(keyboard.source.number) of port \(keyboard.port)"
  }

  private mutating func pull(_ keyboard: SoakKeyboard, on stage: SoakStage) {
    plugged.remove(keyboard)
    held[keyboard] = nil
    stage.pull(keyboard)
  }

  private mutating func play(
    _ keyboard: SoakKeyboard, on stage: SoakStage, _ random: inout Seeded
  ) -> String {
    var keys: [UInt8] = []
    for _ in 0..<Int.random(in: 1...6, using: &random) {
      let key = UInt8.random(in: 21...108, using: &random)
      let velocity = UInt8.random(in: 1...127, using: &random)
      stage.send(ChannelMessage(.noteOn, channel: 0, key, velocity), from: keyboard)
      held[keyboard, default: []].insert(key)
      keys.append(key)
    }
    stage.counts.notes += keys.count
    return "play \(keys) at keyboard \(keyboard.source.number) of port \(keyboard.port)"
  }

  private mutating func release(_ key: UInt8, of keyboard: SoakKeyboard, on stage: SoakStage) {
    stage.send(ChannelMessage(.noteOff, channel: 0, key, 64), from: keyboard)
    held[keyboard]?.remove(key)
  }

  private static func control(_ random: inout Seeded) -> ChannelMessage {
    let value = UInt8.random(in: 0...127, using: &random)
    // Modulation, pan, pedals, reverb, chorus.
    let controller = [UInt8(1), 10, 64, 66, 67, 91, 93].randomElement(using: &random)!
    switch Int.random(in: 0..<5, using: &random) {
    case 0: return ChannelMessage(.pitchBend, channel: 0, value, value)
    case 1: return ChannelMessage(.programChange, channel: 0, value)
    case 2: return ChannelMessage(.channelPressure, channel: 0, value)
    default: return ChannelMessage(.controlChange, channel: 0, controller, value)
    }
  }
}
