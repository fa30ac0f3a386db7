import FoundationEssentials
import NodeProtocol

/// Called by libFuzzer with each input; traps if the input violates a law.
@c(LLVMFuzzerTestOneInput)
public func fuzzMessages(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
  let bytes = Data(UnsafeBufferPointer(start: start, count: count))
  check(HostMessage.self, bytes)
  check(NodeMessage.self, bytes)
  return 0
}

/// Checks that a decoded message can be encoded, and that decoding the result gives the same message.
private func check<Message: Codable & Equatable & Sendable>(_ kind: Message.Type, _ bytes: Data) {
  guard let packet = try? JSONDecoder().decode(Packet<Message>.self, from: bytes) else { return }
  guard let encoded = try? JSONEncoder().encode(packet) else {
    fatalError("violated: a decoded message can be encoded")
  }
  guard let same = try? JSONDecoder().decode(Packet<Message>.self, from: encoded),
    same.id == packet.id, same.message == packet.message
  else { fatalError("violated: encoding and decoding gives the same message") }
}
