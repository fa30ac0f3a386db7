package import NodeProtocol

/// Makes files of what keyboards have played on a node's sound device.
///
/// Threads: any.
package protocol TakeSource: Sendable {
  /// Returns a file.
  ///
  /// - Parameters:
  ///   - port: The name of the port; `nil` for all ports.
  ///   - seconds: The events of so many seconds before now; `nil` for all events.
  ///   - keepsSilence: Whether the file begins where the instrument began to render.
  func take(of port: String?, seconds: Double?, keepsSilence: Bool) -> RecordedTake
}

/// A file of what keyboards have played.
package struct RecordedTake: Equatable, Sendable {
  /// A Standard MIDI File; empty if no note was played.
  package let file: [UInt8]
  package let properties: TakeProperties

  package init(file: [UInt8], properties: TakeProperties) {
    self.file = file
    self.properties = properties
  }
}
