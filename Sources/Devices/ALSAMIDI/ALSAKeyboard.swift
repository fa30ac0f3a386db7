import CALSA
import Threads

/// A keyboard of our own: a client of the sequencer that plays one port, as a keyboard does that is connected
/// to it. Other programs do not list it, and so do not connect it.
///
/// Realtime: no. Threads: one at a time.
package final class ALSAKeyboard {
  private let sequencer: ALSASequencer
  private let port: PortAddress

  /// - Parameter receiver: What it is connected to.
  package init(
    clientName: String, playing receiver: PortAddress
  ) throws(SequencerError) {
    sequencer = try ALSASequencer(clientName: clientName)
    let capabilities =
      SND_SEQ_PORT_CAP_READ | SND_SEQ_PORT_CAP_SUBS_READ | SND_SEQ_PORT_CAP_NO_EXPORT
    let number = try check(
      "make a keyboard",
      snd_seq_create_simple_port(
        sequencer.handle, clientName, UInt32(capabilities),
        UInt32(SND_SEQ_PORT_TYPE_MIDI_GENERIC | SND_SEQ_PORT_TYPE_APPLICATION)))
    port = PortAddress(client: sequencer.client, port: UInt8(truncatingIfNeeded: number))
    try sequencer.connect(port, to: receiver)
  }

  /// Presses a key, and lets it go at once.
  ///
  /// - Returns: When, in nanoseconds of CLOCK_MONOTONIC: just before.
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
