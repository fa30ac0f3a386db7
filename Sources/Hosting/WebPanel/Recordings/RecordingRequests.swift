import LocalSystem
import NodeProtocol
import PortativeServer

/// Answers the requests of pages about recordings.
///
/// Threads: any. The work is for a thread that may wait.
struct RecordingRequests: Sendable {
  let library: RecordingLibrary
  let links: FileLinks
  let server: PortativeServer

  /// Work that answers a request, and may wait for a disk.
  typealias Work = @Sendable () throws -> any Encodable & Sendable

  /// Returns the work of a request; `nil` if the method is none of these.
  func work(_ method: String, _ message: ReceivedMessage) throws(ProtocolError) -> Work? {
    switch method {
    case RecordSound.method:
      let isOn = try message.parameters(RecordSound.self).isOn
      return { try record(isOn) }
    case GetRecordings.method:
      let offset = try message.parameters(GetRecordings.self).offset ?? 0
      return { list(from: offset) }
    case RenameRecording.method:
      let request = try message.parameters(RenameRecording.self)
      return {
        RenameRecording.Response(
          recording: try library.rename(request.recording, to: request.name))
      }
    case TrimRecording.method:
      let request = try message.parameters(TrimRecording.self)
      guard request.from >= 0, request.to >= request.from, request.to <= SaveTake.limit else {
        throw ProtocolError(
          .badMessage,
          "the part must be from 0 to 360000 s, but is \(request.from) to \(request.to)",
          field: "params.from")
      }
      return {
        RenameRecording.Response(
          recording: try library.trim(request.recording, to: request.from...request.to))
      }
    case DeleteRecording.method:
      let request = try message.parameters(DeleteRecording.self)
      return {
        try library.delete(request.recording)
        return Done()
      }
    case LinkRecording.method:
      let request = try message.parameters(LinkRecording.self)
      return {
        let file = try library.file(
          request.recording, request.part, isForPlaying: request.isForPlaying)
        return LinkedFile(
          path: links.add(file, isForOneUse: !request.isForPlaying))
      }
    default: return nil
    }
  }

  private func record(_ isOn: Bool) throws -> Done {
    if isOn {
      try server.beginRecording(to: library.newPath(in: .recordings))
    } else {
      server.endRecording()
    }
    return Done()
  }

  private func list(from offset: Int) -> GetRecordings.Response {
    let all = library.list()
    return GetRecordings.Response(
      items: Array(all.dropFirst(max(0, offset)).prefix(GetRecordings.limit)), total: all.count)
  }
}
