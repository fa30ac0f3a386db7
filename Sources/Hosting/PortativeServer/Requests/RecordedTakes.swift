package import LiveAudio
import LiveMIDI
import MIDIFile
package import NodeProtocol
package import NodeServer
package import RenderCore

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

/// Makes the files of a node's takes.
package struct RecordedTakes: Sendable {
  private let recorder: TakeRecorder

  package init(_ recorder: TakeRecorder) { self.recorder = recorder }

  /// Returns a file of what keyboards have played.
  ///
  /// - Parameters:
  ///   - port: The name of the port; `nil` for all ports.
  ///   - seconds: The events of so many seconds before now; `nil` for all events.
  ///   - keepsSilence: Whether the file begins where the instrument began to render.
  package func take(of port: String?, seconds: Double?, keepsSilence: Bool) -> RecordedTake {
    let limit = recorder.limits.seconds
    let request = TakeRequest(port: port, seconds: seconds, keepsSilence: keepsSilence)
    guard let take = recorder.take(request), let file = try? take.file.encoded() else {
      return RecordedTake(file: [], properties: .empty(limit: limit))
    }
    let properties = TakeProperties(
      sampleRate: take.sampleRate,
      ports: take.tracks.map { .init($0) },
      firstNote: Int(take.firstNote), isWhole: take.isWhole, hasLosses: take.hasLosses,
      limit: limit)
    return RecordedTake(file: file, properties: properties)
  }

  /// Returns what makes a unit with the sound of zones that a unit of a take has played; `nil` if it is not kept.
  package func source(ofUnit unit: Int, of port: PublishedPort) -> (any RenderUnitSource)? {
    UInt32(exactly: unit).flatMap { recorder.sound(ofUnit: $0, of: port.description.name) }
      .map { TakenSoundSource($0.number, $0.source, of: port) }
  }
}

extension TakeProperties.PlayedPort {
  fileprivate init(_ track: Take.Track) {
    self.init(
      name: track.port, sound: track.sound, notes: track.notes, unit: Int(track.unit),
      left: track.panorama.left, right: track.panorama.right)
  }
}

/// Makes units with a sound that zones of a port have played.
private struct TakenSoundSource: RenderUnitSource {
  private let source: any RenderUnitSource
  /// The settings that players have made on the unit that keyboards play.
  private let values: [String: Float]

  /// - Parameter number: The number by which zones refer to the sound.
  init(_ number: UInt8, _ source: any RenderUnitSource, of port: PublishedPort) {
    self.source = source
    // There is none if no zone can play the sound any more.
    let played = port.input.zoneUnits[number]
    // A preset that was changed since the take began is among its events.
    values = (played?.parameters?.all ?? [:]).filter { !$0.key.hasPrefix("preset.") }
  }

  func makeUnit(_ format: Format) throws -> any RenderUnit {
    try makeUnit(format, for: RenderContext())
  }

  func makeUnit(_ format: Format, for use: RenderContext) throws -> any RenderUnit {
    let unit = try source.makeUnit(format, for: use)
    try unit.parameters?.set(values)
    return unit
  }
}
