import LiveAudio

/// The name of an audio file in one of the folders of recordings. It never leads out of the folder.
package struct RecordingName: Hashable, Sendable {
  package enum Folder: String, CaseIterable, Codable, Sendable {
    case recordings, takes

    var singular: String { self == .recordings ? "recording" : "take" }
  }

  /// The audio file, or the MIDI file beside it.
  package enum Part: String, Codable, Sendable {
    case audio, midi
  }

  package let folder: Folder
  /// The name of the audio file.
  package let file: String

  /// The media types of the audio files that browsers play, by their extensions.
  private static let mediaTypes = [
    ".wav": "audio/wav", ".flac": "audio/flac", ".ogg": "audio/ogg", ".opus": "audio/ogg",
    ".mp3": "audio/mpeg",
  ]

  /// - Returns: `nil` if the text is not the name of an audio file.
  package init?(_ folder: Folder, _ file: String) {
    guard file.utf8.count <= 255, !file.hasPrefix("."),
      !file.unicodeScalars.contains(where: { $0 == "/" || $0.value < 32 || $0.value == 127 })
    else { return nil }
    (self.folder, self.file) = (folder, file)
    if Self.mediaTypes[ending] == nil || stem.isEmpty { return nil }
  }

  var mediaType: String { Self.mediaTypes[ending, default: "application/octet-stream"] }

  /// The extension with its dot.
  var ending: String { String(file.dropFirst(stem.count)) }

  /// The name without its extension.
  package var stem: String { Recorder.stem(of: file) }
}

extension RecordingName: Codable {
  private enum Key: String, CodingKey { case folder, file }

  package init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: Key.self)
    let folder = try container.decode(Folder.self, forKey: .folder)
    let file = try container.decode(String.self, forKey: .file)
    guard let name = RecordingName(folder, file) else {
      throw DecodingError.dataCorruptedError(
        forKey: .file, in: container, debugDescription: "no audio file can have this name")
    }
    self = name
  }

  package func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: Key.self)
    try container.encode(folder, forKey: .folder)
    try container.encode(file, forKey: .file)
  }
}
