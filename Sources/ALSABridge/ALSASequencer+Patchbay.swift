import CALSA
import Glibc

extension ALSASequencer: Patchbay {
  package func subscriptions() throws(SequencerError) -> [Subscription] {
    var query: OpaquePointer?
    try check("find memory", snd_seq_query_subscribe_malloc(&query))
    guard let query else { throw .failed(operation: "find memory", code: ENOMEM) }
    defer { snd_seq_query_subscribe_free(query) }
    snd_seq_query_subscribe_set_type(query, SND_SEQ_QUERY_SUBS_READ)
    var found: [Subscription] = []
    for port in try ports() {
      var root = snd_seq_addr_t(port.address)
      snd_seq_query_subscribe_set_root(query, &root)
      for index in CInt(0)... {
        snd_seq_query_subscribe_set_index(query, index)
        // Also when the port has gone since.
        guard snd_seq_query_port_subscribers(handle, query) == 0 else { break }
        let receiver = PortAddress(snd_seq_query_subscribe_get_addr(query).pointee)
        found.append(Subscription(sender: port.address, receiver: receiver))
      }
    }
    return found
  }
}
