import Glibc
import LocalSystem

extension Folder {
  /// The names in a folder that end in `suffix`, without it, in their order; none where there is no
  /// such folder. Hidden files are left out: they may be half-written.
  static func names(in path: String, suffix: String) throws(DirectoryError) -> [String] {
    do throws(WholeFile.Failure) {
      return try names(in: path)?.filter { !$0.hasPrefix(".") && $0.hasSuffix(suffix) }
        .map { String($0.dropLast(suffix.count)) }.sorted() ?? []
    } catch {
      throw .unreadable(path: path, code: error.code)
    }
  }
}
