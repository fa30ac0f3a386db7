import FoundationEssentials
import Glibc

/// What is measured, with what, and where the results go.
struct Bench {
  let isQuick: Bool
  let machine: Machine
  let portative: String
  /// Where audio is written: memory if there is enough, so that no disk is measured.
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

  /// - Throws: ``BenchError`` where there is nothing to measure with.
  init(isQuick: Bool) throws {
    self.isQuick = isQuick
    portative = try ownFolder() + "/portative"
    guard access(portative, X_OK) == 0 else {
      throw BenchError("'\(portative)' is not there: make bench builds it")
    }
    fonts = [
      ("FluidR3", "/usr/share/sounds/sf2/FluidR3_GM.sf2"),
      ("TimGM6mb", "/usr/share/sounds/sf2/TimGM6mb.sf2"),
      ("Portative", "SoundFonts/Portative.sf2"),
    ].compactMap { name, path in
      guard let bytes = fileSize(path) else {
        complain("left out: '\(path)' (Debian: fluid-soundfont-gm, timgm6mb-soundfont)")
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

  /// The songs of these names, those that there are.
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
      say("\(section.rawValue) …")
      let tables = try section.run(in: self)
      for table in tables where table.isPrinted { print("\n\(table.markdown)") }
      results[section.rawValue] = tables
    }
    try BenchFile(machine: machine, isQuick: isQuick, sections: results).write("bench.json")
    say("done; all figures are in bench.json")
  }

  /// Progress, on standard error.
  func say(_ text: String) {
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

func complain(_ text: String) { writeError("bench: \(text)\n") }

private func writeError(_ text: String) {
  let bytes = Array(text.utf8)
  _ = write(STDERR_FILENO, bytes, bytes.count)
}

/// In bytes; `nil` where there is no such file.
func fileSize(_ path: String) -> Int? {
  var status = stat()
  return stat(path, &status) == 0 ? Int(status.st_size) : nil
}

/// Where the programs of the package are.
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
  guard mkdtemp(&template) != nil else { throw BenchError("no folder to write audio to") }
  return String(decoding: template.dropLast().map(UInt8.init(bitPattern:)), as: UTF8.self)
}
