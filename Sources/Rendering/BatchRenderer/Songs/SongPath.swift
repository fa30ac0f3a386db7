import LocalSystem

/// Functions on the paths of songs and their output files.
enum SongPath {
  static func joined(_ folder: String, _ name: String) -> String {
    folder.isEmpty || folder.hasSuffix("/") ? folder + name : "\(folder)/\(name)"
  }

  static func lastPart(_ path: String) -> String {
    path.pathParts.last ?? path
  }

  /// Returns the path without the ending of a MIDI file; another ending is part of the name.
  static func stem(_ path: String) -> String {
    for ending in SongFinder.endings
    where path.lowercased().hasSuffix(ending) && lastPart(path).count > ending.count {
      return String(path.dropLast(ending.count))
    }
    return path
  }

  /// Returns the path without the ending of its last part. A dot at the beginning of the last part does not begin an
  /// ending.
  static func withoutEnding(_ path: String) -> String {
    guard let dot = lastPart(path).lastIndex(of: "."), dot > lastPart(path).startIndex else {
      return path
    }
    return String(path.dropLast(lastPart(path)[dot...].count))
  }

  /// Returns the path without `.` and repeated slashes, to compare the spellings of paths. It consists of bytes because
  /// names that Unicode considers equal can belong to two files.
  static func normalized(_ path: String) -> [CChar] {
    let parts = path.pathParts.filter { $0 != "." }.joined(separator: "/")
    return (path.hasPrefix("/") ? "/" + parts : parts).platformString
  }

  /// Returns the parts of a path that follow those of a folder, with which it begins.
  static func parts(of path: String, below folder: String) -> ArraySlice<String> {
    path.pathParts.filter { $0 != "." }.dropFirst(folder.pathParts.count { $0 != "." })
  }

  /// Returns whether a path names a device, such as `/dev/null`. `/dev/shm` contains regular files.
  static func isDevice(_ path: String) -> Bool {
    path.hasPrefix("/dev/") && !path.hasPrefix("/dev/shm/")
  }

  /// Returns whether a path is relative and has no `..`, so that it stays within a folder that it is joined to.
  static func isContained(_ path: String) -> Bool {
    !path.hasPrefix("/") && !path.pathParts.contains("..")
  }
}
