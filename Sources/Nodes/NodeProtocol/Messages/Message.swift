/// A message on the control socket: the parameters of a method.
///
/// The messages have the shape of JSON-RPC 2.0. Each struct here encodes the `params` of one method.
package protocol Message: Codable, Equatable, Sendable {
  static var method: String { get }
}

/// A message that the receiver answers with a response or an error.
package protocol Request: Message {
  /// The `result`.
  associatedtype Response: Codable, Equatable, Sendable
}

/// A message without an answer.
package protocol Notification: Message {}

/// The response to a request that only changes something.
package struct Done: Codable, Equatable, Sendable {
  package init() {}
}

/// A part of a list: as many items as fit into a packet.
package struct ItemList<Item: Codable & Equatable & Sendable>: Codable, Equatable, Sendable {
  package var items: [Item]
  /// The number of items of the whole list.
  package var total: Int

  package init(items: [Item], total: Int) {
    self.items = items
    self.total = total
  }
}
