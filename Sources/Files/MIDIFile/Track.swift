public import RenderCore

extension StandardMIDIFile {
  /// The events of one track in file order, and the track's end.
  ///
  /// Always valid: ticks never decrease, and none is after `endTick`.
  public struct Track: Equatable, Sendable {
    /// The events in ascending order of ticks.
    public let events: [Event]
    /// The tick of the end-of-track event, which is not in `events`.
    public let endTick: Int64

    /// Creates a track.
    ///
    /// - Parameters:
    ///   - events: The events in ascending order of ticks, from 0 on.
    ///   - endTick: Not before the last event; the default is the last event's tick.
    /// - Precondition: The ticks are in order, and the content of each event is valid; see ``Content``.
    public init(_ events: [Event], endTick: Int64? = nil) {
      var last: Int64 = 0
      for event in events {
        precondition(event.tick >= last, "an event's tick is below 0 or below the one before it")
        precondition(event.content.isWellFormed, "an event's bytes are not what its kind can hold")
        last = event.tick
      }
      precondition(endTick ?? last >= last, "a track ends before its last event")
      self.init(unchecked: events, endTick: endTick ?? last)
    }

    /// Creates a track without checks, for the decoder, which has validated the events.
    init(unchecked events: [Event], endTick: Int64) {
      self.events = events
      self.endTick = endTick
    }
  }

  /// An event at a tick.
  public struct Event: Equatable, Sendable {
    /// Ticks since the start of the track, 0 or more.
    public let tick: Int64
    public let content: Content

    /// - Parameter tick: 0 or more, from the start of the track, not from the previous event.
    public init(tick: Int64, _ content: Content) {
      self.tick = tick
      self.content = content
    }
  }

  /// The content of an event.
  public enum Content: Equatable, Sendable {
    /// A message to one of the sixteen channels.
    case channel(ChannelMessage)
    /// A complete SysEx message without F0 and F7; every byte is in 0…127.
    ///
    /// A message in several packets is one event here, at the tick of its last packet, because an instrument has
    /// received all of it only then.
    case sysEx([UInt8])
    /// Bytes to be sent unchanged (an F7 event that does not continue a SysEx message): any bytes.
    case escape([UInt8])
    /// An event that is not sent: text, tempo and the like.
    case meta(MetaEvent)

    var isWellFormed: Bool {
      switch self {
      case .channel: true
      case .sysEx(let bytes): bytes.count < 1 << 28 - 1 && bytes.allSatisfy { $0 < 0x80 }
      case .escape(let bytes): bytes.count < 1 << 28
      case .meta(let meta):
        meta.data.count < 1 << 28 && meta.type < 0x80 && meta.type != MetaEvent.endOfTrackType
      }
    }
  }
}
