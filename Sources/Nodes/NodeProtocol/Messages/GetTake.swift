/// Requests what keyboards have played on the node's sound device, as a Standard MIDI File, without its first `offset`
/// bytes. The request with offset 0 makes the file; the others read the rest of it.
package struct GetTake: BytesRequest {
  package static let method = "take"
  /// `nil`: all ports.
  package var component: ComponentDescription?
  /// The events of so many seconds before now; `nil`: all that the node has kept.
  package var seconds: Double?
  /// Whether the file begins where the instrument began to render, if one instrument played all of it or all began
  /// together, instead of with the first note.
  package var keepsSilence: Bool
  package var offset: Int

  /// The greatest length of a file that a node may send, in bytes.
  package static let longestFile = 1 << 28

  package init(
    component: ComponentDescription? = nil, seconds: Double? = nil, keepsSilence: Bool = false,
    offset: Int = 0
  ) {
    self.component = component
    self.seconds = seconds
    self.keepsSilence = keepsSilence
    self.offset = offset
  }

  package struct Response: BytesPart, Codable, Equatable, Sendable {
    /// Bytes of the file in Base64; empty if no note was played.
    package var data: String
    /// The length of the file in bytes.
    package var total: Int
    package var take: TakeProperties

    package init(data: String, total: Int, take: TakeProperties) {
      self.data = data
      self.total = total
      self.take = take
    }
  }
}
