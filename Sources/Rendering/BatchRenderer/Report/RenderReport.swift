package import Configuration
package import FoundationEssentials
import Glibc
package import LocalSystem

/// The head of what `--report` writes; the songs follow it, see ``ReportFile``.
///
/// Nothing in a report depends on the time of day, the speed of the machine or the number of jobs: the
/// same songs, SoundFont and options give the same report, byte for byte.
package struct RenderReport: Codable, Equatable {
  package static let schemaIdentifier = "portative/report/1"

  package var schema: String? = Self.schemaIdentifier
  /// The version that wrote it.
  package var portative = portativeVersion
  /// Absent in reports of programs before this field.
  package var library: Library? = .loaded
  package var list: List?
  /// That of the options of the run; songs may have others of their own.
  package var soundFont: SoundFont?
  package var settings: Settings
  /// Files in the folders named that are no songs by their names.
  package var otherFiles: [String]?
  /// Symbolic links in the folders named that were not followed.
  package var skippedLinks: [String]?
  /// Folders in them on other file systems, which were not entered.
  package var skippedMounts: [String]?

  package init(settings: Settings) { self.settings = settings }

  package struct SoundFont: Codable, Equatable, Sendable {
    package var path: String
    /// How it was found, in words.
    package var origin: String
    /// Of the file's bytes.
    package var hash: String?

    package init(_ found: FoundSoundFont, hash: String? = nil) {
      path = found.path
      origin = found.origin.description
      self.hash = hash
    }
  }

  package struct SongError: Codable, Equatable, Sendable {
    /// The song it belongs to; absent where it is not about one.
    package var input: String?
    /// The song's place in the list, from 0.
    package var index: Int?
    package var exitCode: Int32
    package var message: String

    package init(input: String?, index: Int? = nil, _ failure: Failure) {
      self.input = input
      self.index = index
      exitCode = failure.kind.rawValue
      message = failure.message
    }
  }

  /// A line of a journal: `{"song": …}` or `{"error": …}`.
  package static func line(_ song: Song) -> String { encode(["song": song], []) + "\n" }
  package static func line(_ error: SongError) -> String { encode(["error": error], []) + "\n" }

  package static func encode(
    _ value: some Encodable, _ formatting: JSONEncoder.OutputFormatting
  ) -> String {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes, formatting]
    // Every number here is finite and every key a text, so encoding cannot fail.
    guard let data = try? encoder.encode(value) else { return "{}" }
    return String(decoding: data, as: UTF8.self)
  }
}
