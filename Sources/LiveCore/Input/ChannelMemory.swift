import MIDICore

/// What an instrument has been set to, for one that takes its place: programs and banks, controllers, bends,
/// pressure, and the registered parameters that songs set.
///
/// Pedals are left out, for those are held, and the keys with them.
struct ChannelMemory {
  private var channels = [Channel](repeating: Channel(), count: 16)

  private struct Channel {
    var program: UInt8?
    var controllers: [UInt8: UInt8] = [:]
    var bend: ChannelMessage?
    var pressure: UInt8?
    /// The parameter that is chosen: CC 101 and 100.
    var parameter: (UInt8, UInt8) = (127, 127)
    /// Data entry, CC 6 and 38, of registered parameters 0 to 4: ranges and tunings.
    var parameters: [UInt8: [UInt8: UInt8]] = [:]
  }

  mutating func follow(_ message: ChannelMessage) {
    let channel = Int(message.channel)
    switch message.kind {
    case .programChange: channels[channel].program = message.data1
    case .pitchBend: channels[channel].bend = message
    case .channelPressure: channels[channel].pressure = message.data1
    case .controlChange: follow(controller: message.data1, message.data2, &channels[channel])
    case .noteOn, .noteOff, .keyPressure: break
    }
  }

  private func follow(controller: UInt8, _ value: UInt8, _ channel: inout Channel) {
    switch controller {
    case 101: channel.parameter.0 = value
    case 100: channel.parameter.1 = value
    case 98, 99: channel.parameter = (127, 127)
    case 6, 38:
      guard channel.parameter.0 == 0, channel.parameter.1 <= 4 else { return }
      channel.parameters[channel.parameter.1, default: [:]][controller] = value
    case 121:
      // Bank, volume and pan stay: Recommended Practice RP-015.
      channel.controllers = channel.controllers.filter { [0, 7, 10, 32, 91, 93].contains($0.key) }
      channel.bend = nil
      channel.pressure = nil
      channel.parameter = (127, 127)
    case 64...69, 96, 97, 120...127: break
    default: channel.controllers[controller] = value
    }
  }

  /// What makes a new instrument what the old one was.
  var messages: [ChannelMessage] {
    (0..<16).flatMap { number in
      let (channel, number) = (channels[number], UInt8(number))
      func control(_ controller: UInt8, _ value: UInt8) -> ChannelMessage {
        ChannelMessage(.controlChange, channel: number, controller, value)
      }
      // Banks come before the program that they are for.
      var messages = channel.controllers.sorted { $0.key < $1.key }.map { control($0, $1) }
      if let program = channel.program {
        messages.append(ChannelMessage(.programChange, channel: number, program))
      }
      for (parameter, data) in channel.parameters.sorted(by: { $0.key < $1.key }) {
        messages += [control(101, 0), control(100, parameter)]
        messages += data.sorted { $0.key < $1.key }.map { control($0, $1) }
      }
      if !channel.parameters.isEmpty { messages += [control(101, 127), control(100, 127)] }
      if let bend = channel.bend { messages.append(bend) }
      if let pressure = channel.pressure {
        messages.append(ChannelMessage(.channelPressure, channel: number, pressure))
      }
      return messages
    }
  }
}
