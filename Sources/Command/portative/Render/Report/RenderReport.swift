import Configuration
import FoundationEssentials
import Glibc

/// The head of what `--report` writes; the songs follow it, see ``ReportFile``.
///
/// Nothing in a report depends on the time of day, the speed of the machine or the number of jobs: the
/// same songs, SoundFont and options give the same report, byte for byte.
struct RenderReport: Codable, Equatable {
  var schema: String? = JSONOutput.report.identifier
  /// The version that wrote it.
  var portative = Command.version
  /// Absent in reports of programs before this field.
  var library: Library? = .loaded
  var list: List?
  /// That of the options of the run; songs may have others of their own.
  var soundFont: SoundFont?
  var settings: Settings
  /// Files in the folders named that are no songs by their names.
  var otherFiles: [String]?
  /// Symbolic links in the folders named that were not followed.
  var skippedLinks: [String]?
  /// Folders in them on other file systems, which were not entered.
  var skippedMounts: [String]?

  struct SoundFont: Codable, Equatable, Sendable {
    var path: String
    /// How it was found, in words.
    var origin: String
    /// Of the file's bytes.
    var hash: String?

    init(_ found: FoundSoundFont, hash: String? = nil) {
      path = found.path
      origin = found.origin.description
      self.hash = hash
    }
  }

  struct SongError: Codable, Equatable, Sendable {
    /// The song it belongs to; absent where it is not about one.
    var input: String?
    /// The song's place in the list, from 0.
    var index: Int?
    var exitCode: Int32
    var message: String

    init(input: String?, index: Int? = nil, _ failure: Failure) {
      self.input = input
      self.index = index
      exitCode = failure.code.rawValue
      message = failure.message
    }
  }

  /// A line of a journal: `{"song": …}` or `{"error": …}`.
  static func line(_ song: Song) -> String { encode(["song": song], []) + "\n" }
  static func line(_ error: SongError) -> String { encode(["error": error], []) + "\n" }

  static func encode(
    _ value: some Encodable, _ formatting: JSONEncoder.OutputFormatting
  ) -> String {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes, formatting]
    // Every number here is finite and every key a text, so encoding cannot fail.
    guard let data = try? encoder.encode(value) else { return "{}" }
    return String(decoding: data, as: UTF8.self)
  }
}
