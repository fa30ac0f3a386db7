import CJACK

/// The names that patchbays show for a client and its ports, as metadata of JACK.
///
/// Source: *JACK Metadata API*, key `pretty-name`.
///
/// Realtime: no. The calls wait for the server.
struct JACKNames {
  let client: JACKClient
  /// The name of the client, such as "Portative: Piano", which JACK does not accept as it is.
  let name: String

  private static let key = "http://jackaudio.org/metadata/pretty-name"

  /// Sets the names. A server that does not keep them shows the plain names.
  func set() {
    for (identifier, name) in names {
      _ = client.jack.set_property(client.handle, identifier, Self.key, name, "text/plain")
    }
  }

  /// Removes the names. The server would keep them until it ends.
  ///
  /// Not by `jack_remove_properties`: it reads JACK's database before it deletes, and holds a lock in between. Two such
  /// calls at a time, one of which may be the server's own, wait for each other for ever.
  func remove() {
    for (identifier, _) in names {
      _ = client.jack.remove_property(client.handle, identifier, Self.key)
    }
  }

  private var names: [(jack_uuid_t, String)] {
    let ports = client.ports
    let named = [
      (ports.left, "Left"), (ports.right, "Right"), (ports.midi, "MIDI"),
      (ports.midiOutput, "MIDI out"),
      (ports.inputs?.left, "Left in"), (ports.inputs?.right, "Right in"),
    ]
    return (identifier.map { [($0, name)] } ?? [])
      + named.compactMap { port, name in port.map { (client.jack.port_uuid($0), name) } }
  }

  /// The client's identifier; `nil` if the server gives none.
  private var identifier: jack_uuid_t? {
    guard let text = client.jack.get_uuid_for_client_name(client.handle, client.name) else {
      return nil
    }
    defer { client.jack.free(text) }
    var identifier = jack_uuid_t(0)
    return client.jack.uuid_parse(text, &identifier) == 0 && identifier != 0 ? identifier : nil
  }
}
