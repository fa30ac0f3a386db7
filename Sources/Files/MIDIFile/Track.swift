public import RenderCore

extension StandardMIDIFile {
  /// The events of one track, in the order of the file, and where the track ends.
  ///
  /// Always well formed: ticks never fall, and none is after `endTick`.
  public struct Track: Equatable, Sendable {
    /// In ascending order of ticks.
    public let events: [Event]
    /// The tick of the end-of-track event, which is not among `events`.
    public let endTick: Int64

    /// Makes a track.
    ///
    /// - Parameters:
    ///   - events: In ascending order of ticks, from 0 on.
    ///   - endTick: At or after the last event; the last event's tick if not given.
    /// - Precondition: the ticks are in order, and each event's content is as ``Content`` says.
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

    /// For the decoder, which has seen to order and form itself.
    init(unchecked events: [Event], endTick: Int64) {
      self.events = events
      self.endTick = endTick
    }

    /// The first track name (FF 03), if there is one.
    public var name: String? {
      for event in events {
        if case .meta(let meta) = event.content, meta.textKind == .trackName { return meta.text }
      }
      return nil
    }
  }

  /// Something at a tick.
  public struct Event: Equatable, Sendable {
    /// Ticks since the track's beginning, 0 or more.
    public let tick: Int64
    public let content: Content

    /// - Parameter tick: 0 or more; counted from the track's beginning, not from the last event.
    public init(tick: Int64, _ content: Content) {
      self.tick = tick
      self.content = content
    }
  }

  /// What an event holds.
  public enum Content: Equatable, Sendable {
    /// A message to one of the sixteen channels.
    case channel(ChannelMessage)
    /// A whole SysEx message without its F0 and F7: every byte is in 0…127.
    ///
    /// A message that the file sends in several packets is one event here, at the tick of its last
    /// packet, since that is when an instrument has all of it.
    case sysEx([UInt8])
    /// Bytes to be sent as they are (an F7 event that continues no SysEx): any bytes.
    case escape([UInt8])
    /// What is not sent: text, tempo and the like.
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
