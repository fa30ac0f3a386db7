package import NodeProtocol
package import RenderCore

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

  /// Returns the sound of zones that a unit of a take has played; `nil` if it is not kept.
  ///
  /// - Parameter port: The name of the port.
  func sound(ofUnit unit: Int, of port: String) -> TakenSound?
}

/// A sound that zones of a port have played.
package struct TakenSound: Sendable {
  /// The number by which zones refer to it.
  package let number: UInt8
  package let source: any RenderUnitSource

  package init(number: UInt8, source: any RenderUnitSource) {
    self.number = number
    self.source = source
  }
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
