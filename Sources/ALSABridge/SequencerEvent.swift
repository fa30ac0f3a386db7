public import MIDICore

/// What a port of ours was sent, and when.
public struct SequencerEvent: Equatable, Sendable {
  /// The port it comes from.
  public let source: PortAddress
  /// Nanoseconds since the sequencer was opened, as the kernel took them when the event arrived; `nil`
  /// if it did not.
  ///
  /// May be before that of an earlier event, and jitters, by as much as an interrupt was late: the
  /// kernel counts its timer's periods of 1 ms, and adds what has passed since the last interrupt.
  ///
  /// Source: the kernel's `sound/core/seq/seq_timer.c`, `snd_seq_timer_interrupt`.
  public let time: UInt64?
  public let content: Content

  public enum Content: Equatable, Sendable {
    case message(ChannelMessage)
    case announcement(Announcement)
    /// Of a kind that is not translated; the number is one of `SND_SEQ_EVENT_`.
    case other(kind: UInt8)
  }

  public init(source: PortAddress, time: UInt64?, content: Content) {
    self.source = source
    self.time = time
    self.content = content
  }
}

/// What ``PortAddress/announcements`` tells of.
public enum Announcement: Equatable, Sendable {
  case clientStarted(UInt8)
  /// Its ports have been announced as gone before.
  case clientExited(UInt8)
  case clientChanged(UInt8)
  case portStarted(PortAddress)
  case portExited(PortAddress)
  case portChanged(PortAddress)
  case subscribed(sender: PortAddress, receiver: PortAddress)
  case unsubscribed(sender: PortAddress, receiver: PortAddress)
}
