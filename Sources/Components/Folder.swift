import Glibc

enum Folder {
  /// The names in a folder that end in `suffix`, without it, in their order; none where there is no
  /// such folder. Hidden files are left out: they may be half-written.
  static func names(in path: String, suffix: String) throws(DirectoryError) -> [String] {
    guard let directory = opendir(path) else {
      if errno == ENOENT { return [] }
      throw .unreadable(path: path, code: errno)
    }
    defer { closedir(directory) }
    var names: [String] = []
    while let entry = readdir(directory) {
      let name = withUnsafeBytes(of: entry.pointee.d_name) {
        String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self)
      }
      if !name.hasPrefix("."), name.hasSuffix(suffix) {
        names.append(String(name.dropLast(suffix.count)))
      }
    }
    return names.sorted()
  }
}
