import FoundationEssentials
import NodeProtocol
import RenderCore

/// Called by libFuzzer with each input; traps if the input violates a law.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzMessages(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
  let bytes = [UInt8](UnsafeBufferPointer(start: start, count: count))
  guard let message = try? ReceivedMessage(bytes) else { return 0 }
  switch message.kind {
  case .request(let id, let method): for request in requests { request(message, id, method) }
  case .notification(let method):
    for notification in notifications { notification(message, method) }
  case .response(let id): for response in responses { response(message, id) }
  case .error(let id, let error):
    let same = decoded(try? MessageEncoder.error(error, id: id))
    // A long text is cut, and an unknown code becomes `other`.
    guard case .error(id, _) = same.kind else { fatalError("violated: an error remains an error") }
  }
  return 0
}

// Used by one thread: libFuzzer's.
nonisolated(unsafe) private let requests: [(ReceivedMessage, UInt32, String) -> Void] = [
  request(Hello.self), request(GetReport.self), request(OpenPort.self), request(DescribePort.self),
  request(InitializePort.self), request(UninitializePort.self), request(ForwardCommand.self),
  request(GetParameters.self), request(GetValues.self), request(SetParameters.self),
  request(GetPresets.self), request(UsePreset.self), request(GetFiles.self),
  request(SetFile.self), request(Panic.self), request(GetTake.self), request(SaveState.self),
  request(RestoreState.self), request(TransportCommand.self), request(LearnControl.self),
  request(GetControls.self), request(ClearControls.self), request(GetScenes.self),
  request(ChooseScene.self), request(SaveScene.self), request(GetZones.self),
  request(SetZones.self), request(GetSong.self), request(GetSongWords.self),
  request(LoadSong.self), request(UnloadSong.self), request(CommandSong.self),
  request(ChangeSong.self),
]

nonisolated(unsafe) private let notifications: [(ReceivedMessage, String) -> Void] = [
  notification(ParkPort.self), notification(PeerNodeNames.self),
  notification(SupportedCommands.self), notification(ShowWindow.self),
  notification(PortParked.self), notification(PortRemoved.self), notification(TimingChanged.self),
  notification(SettingsChanged.self),
]

nonisolated(unsafe) private let responses: [(ReceivedMessage, UInt32) -> Void] = [
  response(Hello.Response.self), response(GetReport.Response.self),
  response(OpenPort.Response.self), response(DescribePort.Response.self),
  response(UnitProperties.self), response(Done.self), response(GetParameters.Response.self),
  response(GetValues.Response.self), response(ItemList<Preset>.self),
  response(GetFiles.Response.self),
  response(SaveState.Response.self), response(TransportCommand.Response.self),
  response(GetTake.Response.self), response(LearnControl.Response.self),
  response(ClearControls.Response.self), response(GetScenes.Response.self),
  response(ChooseScene.Response.self), response(SaveScene.Response.self),
  response(GetZones.Response.self), response(ItemList<ControlReport>.self),
  response(SongStatus.self), response(ItemList<SongWord>.self),
]
