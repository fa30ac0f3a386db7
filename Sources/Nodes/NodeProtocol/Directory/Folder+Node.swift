import Glibc
import LocalSystem

extension Folder {
  /// Returns the names in a folder that end in `suffix`, without the suffix, sorted; an empty array if the folder does
  /// not exist. Hidden files are skipped because they may be incomplete.
  static func names(in path: String, suffix: String) throws(DirectoryError) -> [String] {
    do throws(WholeFile.Failure) {
      return try names(in: path)?.filter { !$0.hasPrefix(".") && $0.hasSuffix(suffix) }
        .map { String($0.dropLast(suffix.count)) }.sorted() ?? []
    } catch {
      throw .unreadable(path: path, code: error.code)
    }
  }
}
