import NodeProtocol

/// Begins or ends the recording of what is heard.
struct RecordSound: Request {
  static let method = "panel.record"
  typealias Response = Done
  var isOn: Bool
}

/// Lists the recordings and the saved takes, the latest first.
struct GetRecordings: Request {
  static let method = "panel.recordings"
  /// The first one that is wanted.
  var offset: Int?

  struct Response: Codable, Equatable, Sendable {
    var items: [RecordingEntry]
    /// The number of all.
    var total: Int
  }

  /// The most items of a response.
  static let limit = 200
}

/// A recording as pages see it.
package struct RecordingEntry: Codable, Equatable, Sendable {
  package var name: RecordingName
  package var seconds: Double
  package var bytes: Int
  /// When it was written, in seconds since 1970.
  package var time: Int
  /// Whether there is a MIDI file beside it.
  package var hasMIDI: Bool
}

/// Gives a recording another name.
struct RenameRecording: Request {
  static let method = "panel.renameRecording"
  var recording: RecordingName
  /// The name without an extension.
  var name: String

  struct Response: Codable, Equatable, Sendable {
    var recording: RecordingName
  }
}

/// Writes a part of a recording to a new one.
struct TrimRecording: Request {
  static let method = "panel.trimRecording"
  typealias Response = RenameRecording.Response
  var recording: RecordingName
  /// In seconds.
  var from: Double
  var to: Double
}

struct DeleteRecording: Request {
  static let method = "panel.deleteRecording"
  typealias Response = Done
  var recording: RecordingName
}

/// Makes a link to a recording, which needs no other secret.
struct LinkRecording: Request {
  static let method = "panel.linkRecording"
  var recording: RecordingName
  var part: RecordingName.Part
  /// Whether the page plays it, in parts and again; otherwise the link is for one use, to save the file.
  var isForPlaying: Bool

  typealias Response = LinkedFile
}

/// A link to a file.
struct LinkedFile: Codable, Equatable, Sendable {
  /// The path in the address of the panel.
  var path: String
}
