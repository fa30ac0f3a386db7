/// The version of the control messages. A node refuses hosts with another version.
package let protocolVersion = 1

/// A message with an ID, which the answer repeats. Messages without an answer and unsolicited messages have ID 0.
package struct Packet<Message: Codable & Sendable>: Codable, Sendable {
  package var id: UInt32
  package var message: Message

  package init(id: UInt32, _ message: Message) {
    self.id = id
    self.message = message
  }
}
