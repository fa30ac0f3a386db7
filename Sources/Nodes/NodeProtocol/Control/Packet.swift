/// The version of the control messages. A node answers a host of another version with a refusal.
package let protocolVersion = 1

/// A message with the number that an answer repeats; unasked messages have 0.
package struct Packet<Message: Codable & Sendable>: Codable, Sendable {
  package var id: UInt32
  package var message: Message

  package init(id: UInt32, _ message: Message) {
    self.id = id
    self.message = message
  }
}
