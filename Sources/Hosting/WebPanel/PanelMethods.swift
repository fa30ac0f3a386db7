import Configuration
import LocalSystem
import NodeProtocol
import PortativeServer

/// The methods of the control socket that a page may call. Those that acquire ports or name files are not among them.
enum PanelMethods {
  private static let all: Set<String> = [
    Hello.method, GetReport.method, DescribePort.method, GetParameters.method, GetValues.method,
    GetPresets.method, SetParameters.method, UsePreset.method, Panic.method, GetScenes.method,
    ChooseScene.method, Transpose.method, SaveScene.method, GetZones.method, SetZones.method,
    GetTake.method,
    GetSong.method, GetSongWords.method, LoadSong.method, UnloadSong.method, CommandSong.method,
    ChangeSong.method,
    LearnControl.method, GetControls.method, ClearControls.method, ForwardCommand.method,
  ]

  /// Checks whether a page may send a message.
  static func check(
    _ method: String, _ message: ReceivedMessage, _ server: PortativeServer
  ) throws(ProtocolError) {
    guard all.contains(method) else { throw .unknownMethod(method) }
    if method == SetZones.method { try checkZones(message, server) }
    if method == LoadSong.method { try checkSong(message) }
  }

  /// Zones can name SoundFonts. A page may keep those of now, but not add any.
  private static func checkZones(
    _ message: ReceivedMessage, _ server: PortativeServer
  ) throws(ProtocolError) {
    let request = try message.parameters(SetZones.self)
    guard let new = request.zones.map(soundFonts) else { return }
    let known = server.zones(of: request.component).map(soundFonts) ?? []
    if new.isSubset(of: known) { return }
    throw ProtocolError(
      .badMessage, "a page cannot choose SoundFonts for zones: use portative set PORT zones=LIST",
      field: "params.zones")
  }

  /// A page may send a song, but not name files of the server.
  private static func checkSong(_ message: ReceivedMessage) throws(ProtocolError) {
    let request = try message.parameters(LoadSong.self)
    let field = request.path != nil ? "path" : request.soundFont != nil ? "soundFont" : nil
    guard let field else { return }
    throw ProtocolError(
      .badMessage, "a page cannot name files: send the bytes of the song",
      field: "params.\(field)")
  }

  private static func soundFonts(_ zones: String) -> Set<String> {
    // The server reports zones that are invalid.
    guard let document = try? JSON5Document(Array(zones.utf8)),
      let zones = try? document.decode([ZoneSettings].self)
    else { return [] }
    return Set(zones.compactMap(\.sound.soundfont))
  }
}
