import NodeProtocol

// Each check: a decoded value can be encoded, and decoding the result gives the same value.

func request<R: Request>(_: R.Type) -> (ReceivedMessage, UInt32, String) -> Void {
  { message, id, method in
    guard method == R.method, let request = try? message.parameters(R.self) else { return }
    let same = decoded(try? MessageEncoder.request(request, id: id))
    guard same.kind == message.kind, (try? same.parameters(R.self)) == request else {
      fatalError("violated: encoding and decoding gives the same request")
    }
  }
}

func notification<N: Notification>(_: N.Type) -> (ReceivedMessage, String) -> Void {
  { message, method in
    guard method == N.method, let notification = try? message.parameters(N.self) else { return }
    let same = decoded(try? MessageEncoder.notification(notification))
    guard same.kind == message.kind, (try? same.parameters(N.self)) == notification else {
      fatalError("violated: encoding and decoding gives the same notification")
    }
  }
}

func response<R: Codable & Equatable & Sendable>(
  _: R.Type
) -> (ReceivedMessage, UInt32) -> Void {
  { message, id in
    guard let response = try? message.result(R.self) else { return }
    let same = decoded(try? MessageEncoder.response(response, id: id))
    guard same.kind == message.kind, (try? same.result(R.self)) == response else {
      fatalError("violated: encoding and decoding gives the same response")
    }
  }
}

func decoded(_ packet: [UInt8]?) -> ReceivedMessage {
  guard let packet, let message = try? ReceivedMessage(packet) else {
    fatalError("violated: a decoded message can be encoded, and the result decoded")
  }
  return message
}
