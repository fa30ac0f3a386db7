public import RenderCore

/// What a port of ours was sent, and when.
public struct SequencerEvent: Equatable, Sendable {
  /// The port it comes from.
  public let source: PortAddress
  /// The port of ours that it was sent to.
  public let destination: PortAddress
  /// Nanoseconds since the sequencer was opened, as the kernel took them when the event arrived; `nil`
  /// if it did not.
  ///
  /// May be before that of an earlier event, and jitters, by as much as an interrupt was late: the
  /// kernel counts its timer's periods of 1 ms, and adds what has passed since the last interrupt.
  /// ``QueueClock`` makes of it what it is good for.
  ///
  /// Source: the kernel's `sound/core/seq/seq_timer.c`, `snd_seq_timer_interrupt`.
  public let time: UInt64?
  public let content: Content

  public enum Content: Equatable, Sendable {
    /// What ALSA says in one event may take several messages: a controller of 14 bits takes two.
    case messages([ChannelMessage])
    case system(SystemMessage)
    /// Some bytes of System Exclusive messages, from F0 to F7: a long one comes in several events, and
    /// one event may have several; see ``SysExJoiner``.
    case sysEx([UInt8])
    case announcement(Announcement)
    /// Of a kind that is translated, with a value that MIDI does not have, as any program may send it;
    /// the number is one of `SND_SEQ_EVENT_`.
    case outOfRange(kind: UInt8)
    /// Of a kind that is not translated: queues, echoes, what users define. Notes with a length never
    /// come, for the kernel makes a note-on and a note-off of each.
    ///
    /// Source: the kernel's `sound/core/seq/seq_clientmgr.c`, `snd_seq_dispatch_event`.
    case other(kind: UInt8)
  }

  public init(source: PortAddress, destination: PortAddress, time: UInt64?, content: Content) {
    self.source = source
    self.destination = destination
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
