package import Configuration
package import FoundationEssentials
import Glibc
package import LocalSystem

/// The head of the file that `--report` writes; the songs follow it, see ``ReportFile``.
///
/// A report does not depend on the time of day, the speed of the machine or the number of jobs: the same songs,
/// SoundFont and options yield the same report, byte for byte.
package struct RenderReport: Codable, Equatable {
  static let schemaIdentifier = "portative/report/1"

  var schema: String? = Self.schemaIdentifier
  /// The version of Portative that wrote the report.
  var portative = portativeVersion
  /// Absent in reports of versions that did not write this field.
  var library: Library? = .loaded
  var list: List?
  /// The SoundFont of the run's options; songs may have others.
  var soundFont: SoundFont?
  var settings: Settings
  /// Files in the named folders that do not have the ending of a song.
  var otherFiles: [String]?
  /// Symbolic links in the named folders that were not followed.
  var skippedLinks: [String]?
  /// Folders below the named ones that are on other file systems and were not entered.
  var skippedMounts: [String]?

  init(settings: Settings) { self.settings = settings }

  package struct SoundFont: Codable, Equatable, Sendable {
    var path: String
    /// A description of how it was found.
    var origin: String
    /// The hash of the file's bytes.
    var hash: String?

    package init(_ found: FoundSoundFont, hash: String? = nil) {
      path = found.path
      origin = found.origin.description
      self.hash = hash
    }
  }

  package struct SongError: Codable, Equatable, Sendable {
    /// The path of the song; absent if the error does not belong to one.
    var input: String?
    /// The song's index in the list, from 0.
    var index: Int?
    var exitCode: Int32
    var message: String

    package init(input: String?, index: Int? = nil, _ failure: Failure) {
      self.input = input
      self.index = index
      exitCode = failure.kind.rawValue
      message = failure.message
    }
  }

  /// Returns a line of a journal: `{"song": …}` or `{"error": …}`.
  static func line(_ song: Song) -> String { encode(["song": song], []) + "\n" }
  static func line(_ error: SongError) -> String { encode(["error": error], []) + "\n" }

  package static func encode(
    _ value: some Encodable, _ formatting: JSONEncoder.OutputFormatting
  ) -> String {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes, formatting]
    // Encoding cannot fail, since every number is finite and every key is a string.
    guard let data = try? encoder.encode(value) else { return "{}" }
    // Reports are shown on terminals, too.
    return String(decoding: data, as: UTF8.self).printableJSON
  }
}
