import MIDIFile
import RenderCore

/// The part of a song that a chain plays into a file, and its level.
package struct ChainPart: Equatable, Sendable {
  /// The index of the port; `nil`: all.
  var port: Int?
  /// The channels, 0…15, whose messages the chain plays; System Exclusive messages reach all chains of a port.
  var channels: Set<UInt8>?
  /// The index of the track whose events it plays, without those of other tracks; `nil`: all.
  var track: Int?
  /// The index of the track whose notes it plays, with the other messages of all tracks; `nil`: all.
  var noteTrack: Int?
  /// The channel on which its messages are sent; `nil`: their own.
  var sentChannel: UInt8?
  /// The index of the stem that it belongs to; `nil`: none.
  var stem: Int?
  /// The factors of the left and right channels.
  package var left: Float = 1
  package var right: Float = 1

  /// A chain for a port.
  init(port: Int) { self.port = port }

  /// A chain for a track.
  package init(track: Int) { self.track = track }

  /// Returns the event as the chain plays it; `nil` if it does not.
  func event(_ event: MIDIEvent, _ origin: EventOrigin) -> MIDIEvent? {
    if let port, port != Int(origin.port) { return nil }
    // What the end of the range releases is released in all chains.
    if let track, let own = origin.track, track != Int(own) { return nil }
    guard case .channel(let message) = event.content else { return event }
    if let channels, !channels.contains(message.channel) { return nil }
    if let noteTrack, let own = origin.track, noteTrack != Int(own), message.isNote { return nil }
    guard let sentChannel else { return event }
    let sent = ChannelMessage(message.kind, channel: sentChannel, message.data1, message.data2)
    return MIDIEvent(offset: event.offset, content: .channel(sent))
  }
}

extension ChannelMessage {
  fileprivate var isNote: Bool { kind == .noteOn || kind == .noteOff }
}
