import FoundationEssentials
import Glibc

/// The inputs, the machine and the output of one run of the bench.
struct Bench {
  let isQuick: Bool
  let machine: Machine
  let portative: String
  /// The folder for audio output: in memory if more than 4 GiB are free, so that no disk is measured.
  let scratch: String
  let fonts: [SoundFont]
  let songs: [Song]
  let begin = ContinuousClock.now

  struct SoundFont: Sendable {
    let name: String
    let path: String
    let bytes: Int
  }

  struct Song: Sendable {
    let path: String
    var name: String { path.split(separator: "/").last.map { String($0.dropLast(4)) } ?? path }
  }

  static let songFolder = "/usr/share/games/openttd/baseset/openmsx"

  /// - Throws: ``BenchError`` if `portative`, the SoundFonts or the songs are missing.
  init(isQuick: Bool) throws {
    self.isQuick = isQuick
    portative = try ownFolder() + "/portative"
    guard access(portative, X_OK) == 0 else {
      throw BenchError("'\(portative)' does not exist; 'make bench' builds it")
    }
    fonts = [
      ("FluidR3", "/usr/share/sounds/sf2/FluidR3_GM.sf2"),
      ("TimGM6mb", "/usr/share/sounds/sf2/TimGM6mb.sf2"),
      ("Portative", "SoundFonts/Portative.sf2"),
    ].compactMap { name, path in
      guard let bytes = fileSize(path) else {
        printError("skipped: '\(path)' (Debian: fluid-soundfont-gm, timgm6mb-soundfont)")
        return nil
      }
      return SoundFont(name: name, path: path, bytes: bytes)
    }
    let names = (try? FileManager.default.contentsOfDirectory(atPath: Self.songFolder)) ?? []
    songs = names.filter { $0.hasSuffix(".mid") }.sorted()
      .map { Song(path: "\(Self.songFolder)/\($0)") }
    guard !fonts.isEmpty, !songs.isEmpty else {
      throw BenchError("no SoundFonts or no songs in \(Self.songFolder) (Debian: openttd-openmsx)")
    }
    machine = Machine()
    scratch = try makeScratch()
  }

  func cleanUp() { try? FileManager.default.removeItem(atPath: scratch) }

  /// Returns the songs with these names; names without a song are skipped.
  func songs(named names: [String]) -> [Song] {
    names.compactMap { name in songs.first { $0.name == name } }
  }

  func fonts(named names: [String]) -> [SoundFont] {
    names.compactMap { name in fonts.first { $0.name == name } }
  }

  func run(_ sections: [Section]) throws {
    print("\(machine.sentence) Audio goes to \(scratch.hasPrefix("/dev/shm") ? "memory" : "disk").")
    var results: [String: [Table]] = [:]
    for section in sections {
      log("\(section.rawValue) …")
      let tables = try section.run(in: self)
      for table in tables where table.isPrinted { print("\n\(table.markdown)") }
      results[section.rawValue] = tables
    }
    try BenchFile(machine: machine, isQuick: isQuick, sections: results).write("bench.json")
    log("done; all results are in bench.json")
  }

  /// Prints progress to standard error, with the seconds since the start.
  func log(_ text: String) {
    let seconds = Int((ContinuousClock.now - begin) / .seconds(1))
    writeError("[\(seconds) s] \(text)\n")
  }
}

struct BenchError: Error, CustomStringConvertible {
  let description: String
  init(_ description: String) { self.description = description }
}

private struct BenchFile: Encodable {
  var machine: Machine
  var isQuick: Bool
  var sections: [String: [Table]]

  func write(_ path: String) throws {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
    encoder.nonConformingFloatEncodingStrategy = .convertToString(
      positiveInfinity: "inf", negativeInfinity: "-inf", nan: "nan")
    try encoder.encode(self).write(to: URL(filePath: path))
  }
}

func printError(_ text: String) { writeError("bench: \(text)\n") }

private func writeError(_ text: String) {
  let bytes = Array(text.utf8)
  _ = write(STDERR_FILENO, bytes, bytes.count)
}

/// Returns a file's size in bytes, or `nil` if there is no such file.
func fileSize(_ path: String) -> Int? {
  var status = stat()
  return stat(path, &status) == 0 ? Int(status.st_size) : nil
}

/// Returns the folder that holds the package's programs.
func ownFolder() throws -> String {
  let path = try FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")
  return path.split(separator: "/", omittingEmptySubsequences: false).dropLast()
    .joined(separator: "/")
}

private func makeScratch() throws -> String {
  var space = statvfs()
  let isRoomy =
    statvfs("/dev/shm", &space) == 0 && Int(space.f_bavail) * Int(space.f_frsize) > 4 << 30
  var template = Array("\(isRoomy ? "/dev/shm" : "/tmp")/portative-bench-XXXXXX".utf8CString)
  guard mkdtemp(&template) != nil else { throw BenchError("cannot create a folder for audio") }
  return String(decoding: template.dropLast().map(UInt8.init(bitPattern:)), as: UTF8.self)
}
