import MIDICore

/// What a channel is set to: program and bank, controllers, bend, pressure, and the registered parameters 0 to 5.
///
/// Left out are what acts on sounding notes only (sostenuto, portamento control), channel modes, and parameters
/// that are not registered.
struct ChannelSound: BitwiseCopyable {
  private var controllers = InlineArray<128, UInt8>(repeating: 0)
  private var program: UInt8 = 0
  /// The bank that held when the program was chosen.
  private var bank: (UInt8, UInt8) = (0, 0)
  private var bend: (UInt8, UInt8) = (0, 64)
  private var pressure: UInt8 = 0
  /// CC 101 and 100; 127 for none.
  private var parameter: (UInt8, UInt8) = (127, 127)
  /// CC 6 and 38 of registered parameters 0 to 5.
  private var parameters = [2, 0, 64, 0, 64, 0, 0, 0, 0, 0, 0, 64] as InlineArray<12, UInt8>

  /// As an instrument is before it is told anything.
  ///
  /// Source: *General MIDI 1*, "Power-up defaults"; RP-015; FluidSynth for the rest.
  init() {
    controllers[7] = 100
    controllers[8] = 64
    controllers[10] = 64
    controllers[11] = 127
    controllers[43] = 127
    for controller in 70..<80 { controllers[controller] = 64 }
  }

  mutating func follow(_ message: ChannelMessage) {
    switch message.kind {
    case .programChange: (program, bank) = (message.data1, (controllers[0], controllers[32]))
    case .pitchBend: bend = (message.data1, message.data2)
    case .channelPressure: pressure = message.data1
    case .controlChange: follow(controller: message.data1, message.data2)
    case .noteOn, .noteOff, .keyPressure: break
    }
  }

  private mutating func follow(controller: UInt8, _ value: UInt8) {
    switch controller {
    case 101: parameter.0 = value
    case 100: parameter.1 = value
    case 98, 99: parameter = (127, 127)
    case 6, 38:
      guard parameter.0 == 0, parameter.1 <= 5 else { return }
      parameters[Int(parameter.1) * 2 + (controller == 6 ? 0 : 1)] = value
    case 121: resetControllers()
    default: if Self.isKept(controller) { controllers[Int(controller)] = value }
    }
  }

  /// Bank, volume, pan, balance, effects and sound controllers stay: RP-015, and FluidSynth.
  private mutating func resetControllers() {
    let fresh = ChannelSound()
    for controller in 1..<120 {
      switch controller {
      case 0, 7, 8, 10, 32, 39, 40, 42, 70...79, 91...95: break
      default: controllers[controller] = fresh.controllers[controller]
      }
    }
    (bend, pressure, parameter) = (fresh.bend, fresh.pressure, fresh.parameter)
  }

  private static func isKept(_ controller: UInt8) -> Bool {
    switch controller {
    case 6, 38, 66, 84, 96...101, 120...127: false
    default: true
    }
  }

  /// Says what makes this of a channel that is set to `other`.
  func difference(
    from other: ChannelSound, channel: UInt8, _ say: (ChannelMessage) -> Void
  ) {
    func control(_ controller: UInt8, _ value: UInt8) {
      say(ChannelMessage(.controlChange, channel: channel, controller, value))
    }
    var banks = (other.controllers[0], other.controllers[32])
    if program != other.program || bank != other.bank {
      control(0, bank.0)
      control(32, bank.1)
      say(ChannelMessage(.programChange, channel: channel, program))
      banks = bank
    }
    // A bank acts with the next program only, and may be waiting for it.
    if controllers[0] != banks.0 { control(0, controllers[0]) }
    if controllers[32] != banks.1 { control(32, controllers[32]) }
    for controller in UInt8(1)..<128 where controller != 32 {
      let value = controllers[Int(controller)]
      if value != other.controllers[Int(controller)] { control(controller, value) }
    }
    differenceOfParameters(from: other, control)
    if bend != other.bend {
      say(ChannelMessage(.pitchBend, channel: channel, bend.0, bend.1))
    }
    if pressure != other.pressure {
      say(ChannelMessage(.channelPressure, channel: channel, pressure))
    }
  }

  private func differenceOfParameters(
    from other: ChannelSound, _ control: (UInt8, UInt8) -> Void
  ) {
    var chosen = other.parameter
    for number in 0..<6 {
      let (coarse, fine) = (parameters[2 * number], parameters[2 * number + 1])
      if (coarse, fine) == (other.parameters[2 * number], other.parameters[2 * number + 1]) {
        continue
      }
      chosen = (0, UInt8(number))
      control(101, 0)
      control(100, UInt8(number))
      control(6, coarse)
      control(38, fine)
    }
    if chosen != parameter {
      control(101, parameter.0)
      control(100, parameter.1)
    }
  }
}
