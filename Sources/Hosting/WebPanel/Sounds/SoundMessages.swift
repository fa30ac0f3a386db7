import NodeProtocol

/// Lists the SoundFonts that are installed.
struct GetSoundFonts: Request {
  static let method = "panel.soundFonts"

  struct Response: Codable, Equatable, Sendable {
    /// Paths, of which the first ones are the user's.
    var soundFonts: [String]
  }
}

/// Makes a link to the sound of a preset: a phrase that ends. The port plays on as it is.
struct AuditionPreset: Request {
  static let method = "panel.audition"
  var component: ComponentDescription
  /// Among the presets of the port, from 0 on.
  var index: Int

  /// A WAV file, for one use.
  typealias Response = LinkedFile
}

/// Renders the song of the server as it is set, and makes a link to the file.
struct RenderPanelSong: Request {
  static let method = "panel.renderSong"
  typealias Response = LinkedFile
  var format: Format

  enum Format: String, Codable, Sendable { case wav, flac }
}
