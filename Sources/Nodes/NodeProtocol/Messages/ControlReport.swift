package import RenderCore

/// A knob, a key or a button of a keyboard, and what it controls.
package struct ControlReport: Codable, Equatable, Sendable {
  package enum Origin: String, CaseIterable, Codable, Sendable { case learned, configuration }

  /// The message that it sends.
  package enum Message: String, CaseIterable, Codable, Sendable {
    case controller
    /// A controller with 14 bits; `number` is that of the upper ones.
    case fineController
    case pitchBend, pressure, note
    /// Without a `number`, any program.
    case program
  }

  package enum Effect: String, CaseIterable, Codable, Sendable {
    case parameter, panic, scene, nextScene, previousScene
    case transposeUp, transposeDown, transposeReset
    case toggleTrack, startTrack, stopTrack, tapTempo, toggleClick
  }

  package var origin: Origin
  package var message: Message
  package var number: Int?
  /// How the values of the controller are steps; `nil` if they are positions.
  package var relative: EncoderMode?
  /// 1…16; `nil` for all channels.
  package var channel: Int?
  /// `nil` for all keyboards.
  package var keyboard: String?
  package var effect: Effect
  /// The name of the port; `nil` for all ports.
  package var port: String?
  package var parameter: String?
  /// The values at both ends; `nil` for those of the parameter.
  package var from, to: Float?
  package var picksUp: Bool?
  /// The name of the scene.
  package var scene: String?
  /// Why the control has no effect; `nil` if it has.
  package var problem: String?

  package init(_ message: Message, _ effect: Effect, origin: Origin) {
    self.message = message
    self.effect = effect
    self.origin = origin
  }
}

extension ControlReport {
  /// A description of the control: `reverb.room follows controller 21 on channel 1 of 'Launchkey Mini'`.
  package var sentence: String {
    let action =
      switch effect {
      case .parameter:
        "\(parameter ?? "a parameter") " + (message == .note ? "changes with" : "follows")
      case .panic: "panic\(port == nil ? " of all ports" : "") follows"
      case .scene: "the scene\(scene.map { " '\($0)'" } ?? "") follows"
      case .nextScene: "the next scene follows"
      case .previousScene: "the previous scene follows"
      case .transposeUp: "a semitone higher follows"
      case .transposeDown: "a semitone lower follows"
      case .transposeReset: "no transposition follows"
      case .toggleTrack: "start and stop of the song follow"
      case .startTrack: "the start of the song follows"
      case .stopTrack: "the stop of the song follows"
      case .tapTempo: "the tempo follows the beat of"
      case .toggleClick: "the metronome follows"
      }
    return "\(action) \(source)"
  }

  /// A description of its trigger: `controller 21 on channel 1 of 'Launchkey Mini'`.
  package var source: String {
    let number = number.map(String.init)
    let control =
      switch message {
      case .controller:
        "\(relative == nil ? "controller" : "encoder") \(number ?? "?")"
      case .fineController: "the 14-bit controller \(number ?? "?")"
      case .pitchBend: "pitch bend"
      case .pressure: "pressure"
      case .note: "key \(number ?? "?")"
      case .program: number.map { "program \($0)" } ?? "any program"
      }
    return "\(control) on \(channel.map { "channel \($0)" } ?? "any channel") of "
      + (keyboard.map { "'\($0)'" } ?? "any keyboard")
  }
}
