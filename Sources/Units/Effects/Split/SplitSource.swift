package import RenderCore

/// Makes units whose MIDI channels are played by other units. Their output is the sum, in which each is delayed to the latency of the
/// slowest one.
///
/// Channel messages reach the unit of their channel, System Exclusive and system messages all units. The units have no common
/// parameters and send no MIDI. **State:** that of all units.
package struct SplitSource: RenderUnitSource {
  private let parts: [Part]

  /// A unit, and the channels that it plays: bits 0…15.
  package struct Part: Sendable {
    let channels: UInt16
    let source: any RenderUnitSource

    package init(channels: UInt16, _ source: any RenderUnitSource) {
      (self.channels, self.source) = (channels, source)
    }
  }

  /// - Parameter parts: At least one.
  package init(_ parts: [Part]) { self.parts = parts }

  package func makeUnit(_ format: Format) throws -> any RenderUnit {
    try makeUnit(format, for: RenderContext())
  }

  /// - Throws: The error of the first unit that cannot be made.
  package func makeUnit(_ format: Format, for use: RenderContext) throws -> any RenderUnit {
    SplitUnit(
      try parts.map { ($0.channels, try $0.source.makeUnit(format, for: use)) }, format)
  }
}
