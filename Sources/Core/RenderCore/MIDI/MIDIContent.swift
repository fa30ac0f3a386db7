/// The content of a MIDI event that owns its bytes; see ``MIDIEvent`` for events in a cycle.
///
/// Realtime: no.
public enum MIDIContent: Equatable, Sendable {
  case channel(ChannelMessage)
  case system(SystemMessage)
  /// System Exclusive, without F0 and F7.
  case sysEx([UInt8])
}
