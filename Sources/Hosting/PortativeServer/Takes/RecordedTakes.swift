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
      ports: take.tracks.map { .init(name: $0.port, sound: $0.sound, notes: $0.notes) },
      firstNote: Int(take.firstNote), isWhole: take.isWhole, hasLosses: take.hasLosses,
      limit: limit)
    return RecordedTake(file: file, properties: properties)
  }
}
