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
    if let identifier { set(name, of: identifier) }
    let ports = client.ports
    set("Left", of: ports.left)
    set("Right", of: ports.right)
    if let midi = ports.midi { set("MIDI", of: midi) }
    if let inputs = ports.inputs {
      set("Left in", of: inputs.left)
      set("Right in", of: inputs.right)
    }
  }

  /// Removes the names. The server would keep them until it ends.
  func remove() {
    let ports = client.ports
    let identifiers =
      [ports.left, ports.right, ports.midi, ports.inputs?.left, ports.inputs?.right]
      .compactMap { $0 }.map(client.jack.port_uuid)
    for identifier in identifiers + [identifier].compactMap({ $0 }) {
      _ = client.jack.remove_properties(client.handle, identifier)
    }
  }

  private func set(_ name: String, of port: OpaquePointer) {
    set(name, of: client.jack.port_uuid(port))
  }

  private func set(_ name: String, of identifier: jack_uuid_t) {
    _ = client.jack.set_property(client.handle, identifier, Self.key, name, "text/plain")
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
