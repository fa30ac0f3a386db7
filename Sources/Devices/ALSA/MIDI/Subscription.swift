/// A connection from one ALSA sequencer port to another.
///
/// The corresponding C type is `snd_seq_port_subscribe_t`.
package struct Subscription: Hashable, Sendable {
  package let sender: PortAddress
  package let receiver: PortAddress

  package init(sender: PortAddress, receiver: PortAddress) {
    self.sender = sender
    self.receiver = receiver
  }
}
