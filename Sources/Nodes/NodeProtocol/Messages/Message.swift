package import FoundationEssentials

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

  /// Checks what a response must have because of this request, beside ``MessageLimits``.
  ///
  /// - Throws: `badMessage` with the path of the field.
  func check(_ response: Response) throws(ProtocolError)
}

extension Request {
  package func check(_: Response) throws(ProtocolError) {}
}

/// A request for a part of a list.
package protocol ListRequest: Request where Response: ListPart {
  /// The number of items to leave out, because earlier responses have had them.
  var offset: Int { get }
}

/// The response to a ``ListRequest``.
package protocol ListPart {
  associatedtype Item
  var items: [Item] { get }
  /// The number of items of the whole list.
  var total: Int { get }
}

extension ListRequest {
  package func check(_ response: Response) throws(ProtocolError) { try checkPart(response) }

  /// Checks that the items are in the list, and that there are some unless the list has ended.
  func checkPart(_ response: Response) throws(ProtocolError) {
    let count = response.items.count
    if count > 0 ? response.total - count >= offset : response.total <= offset { return }
    throw ProtocolError(
      .badMessage,
      "'result.items' has \(count) items from number \(offset) on of a list of \(response.total)",
      field: "result.items")
  }
}

/// A request for a part of bytes, such as a file.
package protocol BytesRequest: Request where Response: BytesPart {
  /// The number of bytes to leave out, because earlier responses have had them.
  var offset: Int { get }
}

/// The response to a ``BytesRequest``.
package protocol BytesPart {
  /// The bytes in Base64.
  var data: String { get }
  /// The number of all bytes.
  var total: Int { get }
}

extension BytesPart {
  /// The decoded bytes; `nil` if the text is not Base64.
  package var bytes: Data? { Data(base64Encoded: data) }
}

extension BytesRequest {
  package func check(_ response: Response) throws(ProtocolError) {
    let count = response.bytes?.count
    if let count, offset + count <= response.total, count > 0 || offset == response.total { return }
    throw ProtocolError(
      .badMessage,
      "'result.data' must be Base64 of bytes from number \(offset) on of \(response.total)"
        + (count.map { ", but has \($0) bytes" } ?? ""),
      field: "result.data")
  }
}

/// A message without an answer.
package protocol Notification: Message {}

/// The response to a request that only changes something.
package struct Done: Codable, Equatable, Sendable {
  package init() {}
}

/// A part of a list: as many items as fit into a packet.
package struct ItemList<Item: Codable & Equatable & Sendable>: ListPart, Codable, Equatable,
  Sendable
{
  package var items: [Item]
  /// The number of items of the whole list.
  package var total: Int

  package init(items: [Item], total: Int) {
    self.items = items
    self.total = total
  }
}
