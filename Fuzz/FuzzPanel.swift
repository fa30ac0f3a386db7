// The static libraries of the modules need these, and do not name them.
import FoundationEssentials
import Glibc
import NodeProtocol

/// Called by libFuzzer with each input, which is a message of a page and a header of a request; traps if the input violates
/// a law.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzPanel(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
  let bytes = [UInt8](UnsafeBufferPointer(start: start, count: count))
  checkHost(String(decoding: bytes, as: UTF8.self))
  checkRange(String(decoding: bytes, as: UTF8.self))
  checkName(String(decoding: bytes, as: UTF8.self))
  guard let message = try? ReceivedMessage(bytes) else { return 0 }
  switch message.kind {
  case .request(let id, let method): for request in requests { request(message, id, method) }
  case .notification(let method):
    for notification in notifications { notification(message, method) }
  case .response, .error: break
  }
  return 0
}

private let own = HostPolicy(port: 8080, addresses: ["127.0.0.1"], machine: "stage")
private let one = HostPolicy(port: 8080, addresses: ["127.0.0.1", "192.168.1.5"], machine: "stage")

private func checkHost(_ host: String) {
  if own.admits(host: host), host != "127.0.0.1:8080" {
    fatalError("violated: on the loopback interface, only its address is admitted")
  }
  let names = ["127.0.0.1:8080", "192.168.1.5:8080", "stage:8080", "stage.local:8080"]
  if one.admits(host: host), !names.contains(host.lowercased()) {
    fatalError("violated: only addresses of the panel and names of the machine are admitted")
  }
  if own.admits(origin: host, hasOrigin: true, host: "127.0.0.1:8080"),
    host.lowercased() != "http://127.0.0.1:8080"
  {
    fatalError("violated: an origin is that of the host")
  }
}

private func checkRange(_ header: String) {
  for size in [0, 1, 1000, Int64.max] {
    guard case .part(let range) = ByteRange.read(header, size: size) else { continue }
    if range.offset < 0 || range.count <= 0 || range.offset > size - range.count {
      fatalError("violated: a part is in the file")
    }
  }
}

private func checkName(_ text: String) {
  guard let name = RecordingName(.takes, text) else { return }
  if name.file.utf8.contains(UInt8(ascii: "/")) || name.file.utf8.first == UInt8(ascii: ".")
    || name.file.utf8.contains(0)
  {
    fatalError("violated: the name of a recording is that of a file in its folder")
  }
}

// Used by one thread: libFuzzer's.
nonisolated(unsafe) private let requests: [(ReceivedMessage, UInt32, String) -> Void] = [
  request(GreetPanel.self), request(OpenPanel.self), request(PlayPort.self),
  request(WatchPanel.self), request(CheckMachine.self), request(GetWiring.self),
  request(SetWiring.self), request(RestartSound.self), request(SaveTake.self),
  request(RecordSound.self), request(GetRecordings.self), request(RenameRecording.self),
  request(TrimRecording.self), request(DeleteRecording.self), request(LinkRecording.self),
  request(GetSoundFonts.self), request(AuditionPreset.self), request(RenderPanelSong.self),
]

nonisolated(unsafe) private let notifications: [(ReceivedMessage, String) -> Void] = [
  notification(PlayMIDI.self), notification(ReleaseKeys.self),
]
