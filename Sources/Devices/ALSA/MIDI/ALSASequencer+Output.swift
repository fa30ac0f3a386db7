import CALSA
import Glibc
import RenderCore

extension ALSASequencer {
  /// Creates a port that sends events.
  ///
  /// - Parameter isOpen: Whether other clients may connect the port. If `false`, programs do not list it.
  func addOutput(named name: String, isOpen: Bool = true) throws(SequencerError) -> PortAddress {
    var capabilities = SND_SEQ_PORT_CAP_READ | SND_SEQ_PORT_CAP_SUBS_READ
    if !isOpen { capabilities |= SND_SEQ_PORT_CAP_NO_EXPORT }
    let number = try check(
      "create the port '\(name)'",
      snd_seq_create_simple_port(
        handle, name, UInt32(capabilities),
        UInt32(
          SND_SEQ_PORT_TYPE_MIDI_GENERIC | SND_SEQ_PORT_TYPE_SOFTWARE
            | SND_SEQ_PORT_TYPE_APPLICATION)))
    return PortAddress(client: client, port: UInt8(truncatingIfNeeded: number))
  }

  /// Sends a message at once to all ports that are connected to one of our ports.
  ///
  /// - Throws: If one of them has no room.
  func send(
    _ content: MIDIContent, from port: PortAddress, by encoder: MIDIOutputEncoder
  ) throws(SequencerError) {
    let code = encoder.withEvent(of: content) { event in
      event.queue = UInt8(SND_SEQ_QUEUE_DIRECT)
      event.source.port = port.port
      event.dest = snd_seq_addr_t(
        client: UInt8(SND_SEQ_ADDRESS_SUBSCRIBERS), port: UInt8(SND_SEQ_ADDRESS_UNKNOWN))
      return snd_seq_event_output_direct(handle, &event)
    }
    try check("send a message", code ?? -EMSGSIZE)
  }
}
