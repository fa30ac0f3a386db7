import Configuration
import LocalSystem
import NodeProtocol
import PortativeServer
import RenderCore

/// The methods of the control socket that a page may call. Those that acquire ports are not among them, and the only files
/// that a page can name are SoundFonts.
enum PanelMethods {
  private static let all: Set<String> = [
    Hello.method, GetReport.method, DescribePort.method, GetParameters.method, GetValues.method,
    GetPresets.method, SetParameters.method, UsePreset.method, Panic.method, GetScenes.method,
    ChooseScene.method, Transpose.method, SaveScene.method, GetZones.method, SetZones.method,
    GetFiles.method, SetFile.method,
    GetTake.method,
    GetSong.method, GetSongWords.method, LoadSong.method, UnloadSong.method, CommandSong.method,
    ChangeSong.method,
    LearnControl.method, GetControls.method, ClearControls.method, ForwardCommand.method,
  ]

  /// Checks whether a page may send a message.
  static func check(
    _ method: String, _ message: ReceivedMessage, _ panel: WebPanel
  ) throws(ProtocolError) {
    guard all.contains(method) else { throw .unknownMethod(method) }
    switch method {
    case SetZones.method: try checkZones(message, panel.server)
    case SetFile.method: try panel.sounds.check(message.parameters(SetFile.self).file.path)
    case LoadSong.method: try checkSong(message, panel)
    default: break
    }
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

  /// The longest song of a page, in bytes.
  private static let longestSong = 64 << 20

  /// A page may send a song and name its SoundFont, but no other file of the server.
  private static func checkSong(
    _ message: ReceivedMessage, _ panel: WebPanel
  ) throws(ProtocolError) {
    let request = try message.parameters(LoadSong.self)
    if request.path != nil {
      throw ProtocolError(
        .badMessage, "a page cannot name files: send the bytes of the song", field: "params.path")
    }
    if let total = request.total, total > longestSong {
      throw ProtocolError(
        .badMessage, "the song of a page has at most \(longestSong) bytes, but this has \(total)",
        field: "params.total")
    }
    if let path = request.soundFont { try panel.sounds.check(path) }
  }

  private static func soundFonts(_ zones: String) -> Set<String> {
    // The server reports zones that are invalid.
    guard let document = try? JSON5Document(Array(zones.utf8)),
      let zones = try? document.decode([ZoneSettings].self)
    else { return [] }
    return Set(zones.compactMap(\.sound.soundfont))
  }
}
