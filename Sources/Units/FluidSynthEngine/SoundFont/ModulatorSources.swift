/// The controllers to which the modulators of a SoundFont file respond, besides those that every SoundFont has, and what they change.
///
/// Source: *SoundFont Technical Specification 2.04*, sections 7.4, 7.8 and 8.2.
package struct ModulatorSources: Equatable, Sendable {
  /// The numbers of MIDI controllers.
  package private(set) var controllers: Set<UInt8> = []
  package private(set) var hasKeyPressure = false
  /// Whether a modulator changes how long notes sound after their release.
  package private(set) var changesRelease = false
  private static let releaseOfVolumeEnvelope: UInt8 = 38

  /// Reads the sources of all modulators.
  ///
  /// Realtime: no.
  ///
  /// - Returns: `nil` if the file cannot be read, or has another structure.
  package init?(ofFile path: String) {
    guard let file = try? SampleFile(opening: path) else { return nil }
    defer { file.close() }
    guard let form = RIFFChunk(file, at: 0, limit: file.size), form.id == "RIFF",
      let lists = form.chunks(file, type: "sfbk"),
      let chunks = lists.lazy.compactMap({ $0.chunks(file, type: "pdta") }).first
    else { return nil }
    for chunk in chunks where chunk.id == "pmod" || chunk.id == "imod" {
      guard let bytes = file.bytes(chunk.content) else { return nil }
      // A modulator has ten bytes: its source, destination, amount, the source of the amount, and a transformation.
      for start in stride(from: 0, to: bytes.count - 9, by: 10) {
        add(bytes[start])
        add(bytes[start + 6])
        // A link to another modulator has bit 15.
        if bytes[start + 2] == Self.releaseOfVolumeEnvelope, bytes[start + 3] == 0 {
          changesRelease = true
        }
      }
    }
  }

  /// - Parameter source: The low byte of a source: a controller if bit 7 is set, otherwise a number of its own.
  private mutating func add(_ source: UInt8) {
    if source >= 0x80 {
      controllers.insert(source & 0x7F)
    } else if source == 10 {
      hasKeyPressure = true
    }
  }
}
