import CJACK
package import LiveAudio
package import RenderCore

extension JACKDevice {
  package var transport: Transport? {
    client.map { client in
      var position = jack_position_t()
      let isRolling = cjack_transport(client.handle, &position)
      return Transport(position, isRolling: isRolling)
    }
  }

  package func change(_ change: TransportChange) -> Bool {
    guard let client else { return false }
    return client.perform(within: 1) {
      switch change {
      case .start:
        client.jack.transport_start(client.handle)
        return true
      case .stop:
        client.jack.transport_stop(client.handle)
        return true
      case .locate(let frame):
        guard let frame = UInt32(exactly: frame) else { return false }
        return client.jack.transport_locate(client.handle, frame) == 0
      }
    } ?? false
  }
}
