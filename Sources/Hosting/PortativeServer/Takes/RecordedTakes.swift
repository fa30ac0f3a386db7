package import LiveAudio
import MIDIFile
import NodeProtocol
package import NodeServer

/// Makes the files of a node's takes.
package struct RecordedTakes: TakeSource {
  private let recorder: TakeRecorder

  package init(_ recorder: TakeRecorder) { self.recorder = recorder }

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

  package func sound(ofUnit unit: Int, of port: String) -> TakenSound? {
    guard let unit = UInt32(exactly: unit) else { return nil }
    return recorder.sound(ofUnit: unit, of: port).map {
      TakenSound(number: $0.number, source: $0.source)
    }
  }
}

extension TakeProperties.PlayedPort {
  fileprivate init(_ track: Take.Track) {
    self.init(
      name: track.port, sound: track.sound, notes: track.notes, unit: Int(track.unit),
      left: track.panorama.left, right: track.panorama.right)
  }
}
