import FoundationEssentials
import NodeProtocol

/// Called by libFuzzer with one input after another; a law that an input breaks stops the program.
@c(LLVMFuzzerTestOneInput)
public func fuzzMessages(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
  let bytes = Data(UnsafeBufferPointer(start: start, count: count))
  check(HostMessage.self, bytes)
  check(NodeMessage.self, bytes)
  return 0
}

/// What is understood can be said again, and is understood as the same.
private func check<Message: Codable & Equatable & Sendable>(_ kind: Message.Type, _ bytes: Data) {
  guard let packet = try? JSONDecoder().decode(Packet<Message>.self, from: bytes) else { return }
  guard let again = try? JSONEncoder().encode(packet) else {
    fatalError("broken: what is understood can be said again")
  }
  guard let same = try? JSONDecoder().decode(Packet<Message>.self, from: again),
    same.id == packet.id, same.message == packet.message
  else { fatalError("broken: what is said again is understood as the same") }
}
