public import RenderCore

/// An event that one of our ports received.
public struct SequencerEvent: Equatable, Sendable {
  /// The sending port.
  public let source: PortAddress
  /// Our receiving port.
  public let destination: PortAddress
  /// The arrival time, in nanoseconds since the sequencer was opened; `nil` if the kernel did not set it.
  ///
  /// It jitters by the latency of timer interrupts, and may be earlier than the time of a previous event: the kernel
  /// counts timer periods of 1 ms and adds the time since the last interrupt. ``QueueClock`` corrects this.
  ///
  /// Source: the kernel's `sound/core/seq/seq_timer.c`, `snd_seq_timer_interrupt`.
  public let time: UInt64?
  public let content: Content

  public enum Content: Equatable, Sendable {
    /// Channel messages. One ALSA event may need several; a 14-bit controller needs two.
    case messages([ChannelMessage])
    case system(SystemMessage)
    /// Bytes of System Exclusive messages, including F0 and F7. A long message arrives in several events, and one event
    /// may contain several messages; see ``SysExJoiner``.
    case sysEx([UInt8])
    case announcement(Announcement)
    /// An event of a supported type with a value outside MIDI's range, which any program may send. `kind` is one of
    /// `SND_SEQ_EVENT_…`.
    case outOfRange(kind: UInt8)
    /// An event of an unsupported type: queue control, echo or user-defined. Notes with a duration never arrive: the
    /// kernel splits them into a note-on and a note-off.
    ///
    /// Source: the kernel's `sound/core/seq/seq_clientmgr.c`, `snd_seq_dispatch_event`.
    case other(kind: UInt8)
  }
}

/// An announcement sent by ``PortAddress/announcements``.
public enum Announcement: Equatable, Sendable {
  case clientStarted(UInt8)
  /// The exit of its ports is announced before.
  case clientExited(UInt8)
  case clientChanged(UInt8)
  case portStarted(PortAddress)
  case portExited(PortAddress)
  case portChanged(PortAddress)
  case subscribed(sender: PortAddress, receiver: PortAddress)
  case unsubscribed(sender: PortAddress, receiver: PortAddress)
}
