import LiveMIDI
import NodeProtocol

extension ControlReport {
  init(_ control: Control, _ origin: Origin) {
    let (message, number) = Self.message(control.trigger.message)
    switch control.effect {
    case .parameter(let parameter):
      self.init(message, .parameter, origin: origin)
      self.parameter = parameter.identifier
      from = parameter.from
      to = parameter.to
      picksUp = parameter.picksUp
    case .panic: self.init(message, .panic, origin: origin)
    case .scene(.next): self.init(message, .nextScene, origin: origin)
    case .scene(.previous): self.init(message, .previousScene, origin: origin)
    case .transpose(.by(let semitones)):
      self.init(message, semitones > 0 ? .transposeUp : .transposeDown, origin: origin)
    case .transpose(.to): self.init(message, .transposeReset, origin: origin)
    case .song(.toggleTrack): self.init(message, .toggleTrack, origin: origin)
    case .song(.startTrack): self.init(message, .startTrack, origin: origin)
    case .song(.stopTrack): self.init(message, .stopTrack, origin: origin)
    case .song(.tapTempo): self.init(message, .tapTempo, origin: origin)
    case .song(.toggleClick): self.init(message, .toggleClick, origin: origin)
    case .scene(.numbered): self.init(message, .scene, origin: origin)
    case .scene(.named(let name)):
      self.init(message, .scene, origin: origin)
      scene = name
    }
    if case .encoder(_, let mode) = control.trigger.message { relative = mode }
    self.number = number.map(Int.init)
    channel = control.trigger.channel.map { Int($0) + 1 }
    keyboard = control.trigger.keyboard
    port = control.port
  }

  private static func message(_ message: ControlTrigger.Message) -> (Message, UInt8?) {
    switch message {
    case .controller(let number), .encoder(let number, _): (.controller, number)
    case .fineController(let number): (.fineController, number)
    case .pitchBend: (.pitchBend, nil)
    case .pressure: (.pressure, nil)
    case .note(let key): (.note, key)
    case .program(let number): (.program, number)
    }
  }
}
