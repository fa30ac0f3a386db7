import CALSA
import LocalSystem

/// A sequencer client with one output port, used as a test keyboard. The port has the `NO_EXPORT` capability, so
/// other programs neither list nor connect it.
///
/// Realtime: no. Threads: one at a time.
package final class ALSAKeyboard {
  private let sequencer: ALSASequencer
  private let port: PortAddress

  /// - Parameter receiver: The port that this keyboard is connected to.
  package init(
    clientName: String, playing receiver: PortAddress
  ) throws(SequencerError) {
    sequencer = try ALSASequencer(clientName: clientName)
    let capabilities =
      SND_SEQ_PORT_CAP_READ | SND_SEQ_PORT_CAP_SUBS_READ | SND_SEQ_PORT_CAP_NO_EXPORT
    let number = try check(
      "create a keyboard port",
      snd_seq_create_simple_port(
        sequencer.handle, clientName, UInt32(capabilities),
        UInt32(SND_SEQ_PORT_TYPE_MIDI_GENERIC | SND_SEQ_PORT_TYPE_APPLICATION)))
    port = PortAddress(client: sequencer.client, port: UInt8(truncatingIfNeeded: number))
    try sequencer.connect(port, to: receiver)
  }

  /// Sends a note-on and, immediately after it, the note-off.
  ///
  /// - Returns: The CLOCK_MONOTONIC time just before the note-on was sent, in nanoseconds.
  package func strike(key: UInt8) throws(SequencerError) -> Int64 {
    let time = MonotonicClock.now
    try send(SND_SEQ_EVENT_NOTEON, key, velocity: 100)
    try send(SND_SEQ_EVENT_NOTEOFF, key, velocity: 0)
    return time
  }

  private func send(
    _ type: snd_seq_event_type, _ key: UInt8, velocity: UInt8
  ) throws(SequencerError) {
    var event = snd_seq_event_t()
    event.type = UInt8(type.rawValue)
    event.queue = UInt8(SND_SEQ_QUEUE_DIRECT)
    event.source.port = port.port
    event.dest = snd_seq_addr_t(
      client: UInt8(SND_SEQ_ADDRESS_SUBSCRIBERS), port: UInt8(SND_SEQ_ADDRESS_UNKNOWN))
    event.data.note.note = key
    event.data.note.velocity = velocity
    try check("send a note", snd_seq_event_output_direct(sequencer.handle, &event))
  }
}
