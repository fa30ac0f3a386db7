import CALSA
import Glibc
import RenderCore

/// Translates MIDI messages to events of the ALSA sequencer.
///
/// Realtime: no. Threads: one at a time.
///
/// The corresponding C type is `snd_midi_event_t`.
final class MIDIOutputEncoder {
  private let encoder: OpaquePointer

  /// The longest System Exclusive message of a unit or a keyboard, with F0 and F7.
  private static let capacity = 1 << 16

  init() throws(SequencerError) {
    var encoder: OpaquePointer?
    try check("allocate memory", snd_midi_event_new(Self.capacity, &encoder))
    guard let encoder else { throw .failed(operation: "allocate memory", code: ENOMEM) }
    self.encoder = encoder
  }

  deinit { snd_midi_event_free(encoder) }

  /// Passes the event of a message to `body`. Its System Exclusive bytes are valid during the call.
  ///
  /// - Returns: `nil` if the message is too long.
  func withEvent<Result>(
    of content: MIDIContent, _ body: (inout snd_seq_event_t) -> Result
  ) -> Result? {
    let bytes = content.bytes
    var event = snd_seq_event_t()
    snd_midi_event_reset_encode(encoder)
    let count = snd_midi_event_encode(encoder, bytes, bytes.count, &event)
    guard count == bytes.count, event.type != UInt8(SND_SEQ_EVENT_NONE.rawValue) else { return nil }
    return body(&event)
  }
}

extension MIDIContent {
  /// The bytes of the message with its status byte.
  var bytes: [UInt8] {
    switch self {
    case .channel(let message):
      let count = ChannelMessage.dataCount(ofStatus: message.status)
      return [message.status] + [message.data1, message.data2].prefix(count)
    case .system(let message):
      let count = SystemMessage.dataCount(ofStatus: message.status) ?? 0
      return [message.status] + [message.data1, message.data2].prefix(count)
    case .sysEx(let bytes): return [0xF0] + bytes + [0xF7]
    }
  }
}
