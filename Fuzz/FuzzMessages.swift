import FoundationEssentials
import NodeProtocol
import RenderCore

/// Called by libFuzzer with each input; traps if the input violates a law.
@c(LLVMFuzzerTestOneInput)
public func fuzzMessages(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
  let bytes = [UInt8](UnsafeBufferPointer(start: start, count: count))
  guard let message = try? ReceivedMessage(bytes) else { return 0 }
  switch message.kind {
  case .request(let id, let method): for request in requests { request(message, id, method) }
  case .notification(let method):
    for notification in notifications { notification(message, method) }
  case .response(let id): for response in responses { response(message, id) }
  case .error(let id, let error):
    let same = decoded(try? MessageEncoder.error(error, id: id))
    // A long text is cut, and an unknown code becomes `other`.
    guard case .error(id, _) = same.kind else { fatalError("violated: an error remains an error") }
  }
  return 0
}

private typealias Check = (ReceivedMessage, UInt32) -> Void

// Used by one thread: libFuzzer's.
nonisolated(unsafe) private let requests: [(ReceivedMessage, UInt32, String) -> Void] = [
  request(Hello.self), request(GetReport.self), request(OpenPort.self), request(DescribePort.self),
  request(InitializePort.self), request(UninitializePort.self), request(ForwardCommand.self),
  request(GetParameters.self), request(GetValues.self), request(SetParameters.self),
  request(GetPresets.self), request(UsePreset.self), request(GetFiles.self),
  request(SetFile.self), request(Panic.self), request(GetTake.self), request(SaveState.self),
  request(RestoreState.self), request(TransportCommand.self), request(LearnControl.self),
  request(GetControls.self), request(ClearControls.self), request(GetScenes.self),
  request(ChooseScene.self), request(SaveScene.self), request(GetZones.self),
  request(SetZones.self),
]

nonisolated(unsafe) private let notifications: [(ReceivedMessage, String) -> Void] = [
  notification(ParkPort.self), notification(PeerNodeNames.self),
  notification(SupportedCommands.self), notification(ShowWindow.self),
  notification(PortParked.self), notification(PortRemoved.self), notification(TimingChanged.self),
  notification(SettingsChanged.self),
]

nonisolated(unsafe) private let responses: [Check] = [
  response(Hello.Response.self), response(GetReport.Response.self),
  response(OpenPort.Response.self), response(DescribePort.Response.self),
  response(UnitProperties.self), response(Done.self), response(GetParameters.Response.self),
  response(GetValues.Response.self), response(ItemList<Preset>.self),
  response(GetFiles.Response.self),
  response(SaveState.Response.self), response(TransportCommand.Response.self),
  response(GetTake.Response.self), response(LearnControl.Response.self),
  response(ClearControls.Response.self), response(GetScenes.Response.self),
  response(ChooseScene.Response.self), response(SaveScene.Response.self),
  response(GetZones.Response.self), response(ItemList<ControlReport>.self),
]

// Each check: a decoded value can be encoded, and decoding the result gives the same value.

private func request<R: Request>(_: R.Type) -> (ReceivedMessage, UInt32, String) -> Void {
  { message, id, method in
    guard method == R.method, let request = try? message.parameters(R.self) else { return }
    let same = decoded(try? MessageEncoder.request(request, id: id))
    guard same.kind == message.kind, (try? same.parameters(R.self)) == request else {
      fatalError("violated: encoding and decoding gives the same request")
    }
  }
}

private func notification<N: Notification>(_: N.Type) -> (ReceivedMessage, String) -> Void {
  { message, method in
    guard method == N.method, let notification = try? message.parameters(N.self) else { return }
    let same = decoded(try? MessageEncoder.notification(notification))
    guard same.kind == message.kind, (try? same.parameters(N.self)) == notification else {
      fatalError("violated: encoding and decoding gives the same notification")
    }
  }
}

private func response<R: Codable & Equatable & Sendable>(_: R.Type) -> Check {
  { message, id in
    guard let response = try? message.result(R.self) else { return }
    let same = decoded(try? MessageEncoder.response(response, id: id))
    guard same.kind == message.kind, (try? same.result(R.self)) == response else {
      fatalError("violated: encoding and decoding gives the same response")
    }
  }
}

private func decoded(_ packet: [UInt8]?) -> ReceivedMessage {
  guard let packet, let message = try? ReceivedMessage(packet) else {
    fatalError("violated: a decoded message can be encoded, and the result decoded")
  }
  return message
}
