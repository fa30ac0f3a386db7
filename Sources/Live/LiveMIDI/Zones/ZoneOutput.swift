package import RenderCore

/// A port through which modules and other programs receive MIDI messages.
///
/// Realtime: no. Threads: any.
package protocol MIDIDestination: AnyObject, Sendable {
  /// Sends a message at once to all that are connected. Errors are reported by the destination.
  func send(_ content: MIDIContent)
}

/// A sound of zones that a module plays instead of a unit of this process.
package struct ZoneOutput: Sendable {
  package let destination: any MIDIDestination
  /// The channel on which the module plays, 0…15; `nil`: that of the keyboard.
  package let channel: UInt8?

  package init(_ destination: any MIDIDestination, channel: UInt8? = nil) {
    self.destination = destination
    self.channel = channel
  }

  /// Returns a message of a keyboard on the channel of the module.
  func message(for message: ChannelMessage) -> ChannelMessage {
    guard let channel else { return message }
    return ChannelMessage(message.kind, channel: channel, message.data1, message.data2)
  }

  /// Ends all that the module plays on the channels of the sound.
  func silence() {
    for channel in channel.map({ $0...$0 }) ?? 0...15 {
      // All Notes Off too, because many modules ignore All Sound Off.
      for controller in [120, 123] as [UInt8] {
        destination.send(
          .channel(ChannelMessage(.controlChange, channel: channel, controller, 0)))
      }
    }
  }
}
