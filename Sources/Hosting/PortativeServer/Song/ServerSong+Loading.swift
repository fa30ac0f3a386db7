import LocalSystem
import NodeProtocol

extension ServerSong {
  /// Loads a song that a program has sent, with the level and the metronome of now.
  ///
  /// - Parameter bytes: The file; `nil`: the request has its path.
  func load(_ request: LoadSong, _ bytes: [UInt8]?) throws(Failure) {
    var settings = SongSettings()
    settings.keep(from: self.settings)
    settings.countIn = try SongSettings.check(countIn: request.countIn ?? 0)
    let source = bytes.map(Source.bytes) ?? .path(request.path ?? "")
    try load(source, name: request.name, soundFont: request.soundFont, settings)
  }
}

extension SongSettings {
  /// Takes what belongs to the player, and not to a song.
  mutating func keep(from other: Self) { (isClicking, level) = (other.isClicking, other.level) }
}
