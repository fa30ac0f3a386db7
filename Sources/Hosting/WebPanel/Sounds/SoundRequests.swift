import Configuration
import LocalSystem
import NodeProtocol
import PortativeServer
import RenderCore

/// Answers the requests of pages about SoundFonts and the sound of presets.
///
/// Threads: any. The work is for a thread that may wait.
struct SoundRequests: Sendable {
  let fonts: SoundFontSearch
  let links: FileLinks
  let server: PortativeServer
  /// The folder for files that links delete.
  let temporaryFolder: String

  /// Whether the work of a method takes minutes.
  static func isLong(_ method: String) -> Bool { method == RenderPanelSong.method }

  /// Returns the work of a request; `nil` if the method is none of these.
  func work(
    _ method: String, _ message: ReceivedMessage
  ) throws(ProtocolError) -> RecordingRequests.Work? {
    switch method {
    case GetSoundFonts.method: return { GetSoundFonts.Response(soundFonts: fonts.installed) }
    case AuditionPreset.method:
      let request = try message.parameters(AuditionPreset.self)
      return {
        let path = "\(temporaryFolder)/audition-\(makeSecret()).wav"
        try server.writeAudition(ofPreset: request.index, of: request.component, to: path)
        let file = FileLinks.File(path: path, type: "audio/wav", isTemporary: true)
        return LinkedFile(path: links.add(file, isForOneUse: true))
      }
    case RenderPanelSong.method:
      let format = try message.parameters(RenderPanelSong.self).format
      return { try render(format) }
    default: return nil
    }
  }

  private func render(_ format: RenderPanelSong.Format) throws -> LinkedFile {
    let path = "\(temporaryFolder)/song-\(makeSecret()).\(format.rawValue)"
    let name = try server.song.render(to: path)
    let file = FileLinks.File(
      path: path, type: "audio/\(format.rawValue)", name: "\(name).\(format.rawValue)",
      isTemporary: true)
    return LinkedFile(path: links.add(file, isForOneUse: true))
  }

  /// Checks the path of a SoundFont that a page chooses.
  func check(_ path: String) throws(ProtocolError) {
    guard SoundFontFile.isNamed(path) else {
      throw ProtocolError(.unusableFile, "a SoundFont ends in .sf2 or .sf3, unlike '\(path)'")
    }
    do throws(SoundFontError) {
      try fonts.check(path)
    } catch {
      throw ProtocolError(.unusableFile, "\(error)")
    }
  }
}
