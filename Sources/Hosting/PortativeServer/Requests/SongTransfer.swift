import FoundationEssentials
import LocalSystem
import NodeProtocol

/// Receives the file of a song in parts that fit into packets.
struct SongTransfer {
  private var bytes: [UInt8] = []
  private var total = 0

  init() {}

  /// Adds a part.
  ///
  /// - Returns: The file, if the part is its last; `nil`: more must follow.
  /// - Throws: ``ProtocolError``: `badMessage` for an invalid part; `badSequence` for one that does not follow the last.
  mutating func add(_ request: LoadSong) throws(ProtocolError) -> [UInt8]? {
    let (offset, total) = (request.offset ?? 0, request.total ?? 0)
    guard 1...LoadSong.longestFile ~= total else {
      throw ProtocolError(
        .badMessage,
        "the file of a song must have 1 to \(LoadSong.longestFile) bytes, but has \(total)",
        field: "params.total")
    }
    guard let part = Data(base64Encoded: request.data ?? ""), !part.isEmpty else {
      throw ProtocolError(.badMessage, "the part of a song must be Base64", field: "params.data")
    }
    if offset == 0 { (bytes, self.total) = ([], total) }
    guard offset == bytes.count, total == self.total, part.count <= total - offset else {
      throw ProtocolError(
        .badSequence,
        "the part of a song begins at \(offset), but \(bytes.count) of \(self.total) bytes were received: begin with offset 0"
      )
    }
    bytes += part
    guard bytes.count == total else { return nil }
    defer { (bytes, self.total) = ([], 0) }
    return bytes
  }
}

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
