import LocalSystem

/// The names that songs and their files have.
package enum SongPath {
  package static func joined(_ folder: String, _ name: String) -> String {
    folder.isEmpty || folder.hasSuffix("/") ? folder + name : "\(folder)/\(name)"
  }

  package static func lastPart(_ path: String) -> String {
    path.pathParts.last ?? path
  }

  /// The path without the ending of a MIDI file; another ending is part of the name.
  package static func stem(_ path: String) -> String {
    for ending in SongFinder.endings
    where path.lowercased().hasSuffix(ending) && lastPart(path).count > ending.count {
      return String(path.dropLast(ending.count))
    }
    return path
  }

  /// The path without what stands behind the last dot of its last part, unless that begins it.
  package static func withoutEnding(_ path: String) -> String {
    guard let dot = lastPart(path).lastIndex(of: "."), dot > lastPart(path).startIndex else {
      return path
    }
    return String(path.dropLast(lastPart(path)[dot...].count))
  }

  /// The same path without `.` and doubled slashes, to tell whether two are spelt for one file: in bytes, for two
  /// names that Unicode holds to be the same are two files.
  package static func plain(_ path: String) -> [CChar] {
    let parts = path.pathParts.filter { $0 != "." }.joined(separator: "/")
    return (path.hasPrefix("/") ? "/" + parts : parts).platformString
  }

  /// What a path has after that of a folder, which it begins with.
  package static func parts(of path: String, below folder: String) -> ArraySlice<String> {
    path.pathParts.filter { $0 != "." }.dropFirst(folder.pathParts.count { $0 != "." })
  }

  /// Whether it is a name of something else than a file, as `/dev/null` is: the system's folder of these has one of
  /// files, too.
  package static func isDevice(_ path: String) -> Bool {
    path.hasPrefix("/dev/") && !path.hasPrefix("/dev/shm/")
  }

  /// Whether a path leads from where one is to somewhere within.
  package static func leadsDown(_ path: String) -> Bool {
    !path.hasPrefix("/") && !path.pathParts.contains("..")
  }
}
