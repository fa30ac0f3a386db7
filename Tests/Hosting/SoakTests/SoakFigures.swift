import Foundation
import Glibc

/// What the process uses, at a time of a soak, and what has happened until then.
struct SoakFigures: Codable {
  /// The virtual hours, those in which a sound device played, and those in which the machine was suspended.
  var hours, played, asleep: Double
  var kilobytes, descriptors, threads: Int
  var step, notes, hosts, pages, devices, servers: Int

  init(of stage: SoakStage, step: Int) {
    hours = stage.sound.hours
    played = Double(stage.sound.played) / 3.6e12
    asleep = Double(stage.sound.asleep) / 3.6e12
    self.step = step
    (notes, hosts, pages) = (stage.counts.notes, stage.counts.hosts, stage.counts.pages)
    (devices, servers) = (stage.sound.devices, stage.servers)
    (kilobytes, descriptors, threads) = (.max, .max, .max)
    // Threads of the server still free what has ended.
    for _ in 0..<10 {
      // What the allocator keeps for later is not a leak.
      _ = trim(0)
      kilobytes = min(kilobytes, Self.kilobytes)
      descriptors = min(descriptors, Self.count("/proc/self/fd"))
      threads = min(threads, Self.count("/proc/self/task"))
      usleep(50_000)
    }
  }

  private static var kilobytes: Int {
    let pages = (try? String(contentsOfFile: "/proc/self/statm", encoding: .utf8))?
      .split(separator: " ").dropFirst().first.flatMap { Int($0) }
    return (pages ?? 0) * sysconf(CInt(_SC_PAGESIZE)) / 1024
  }

  private static func count(_ folder: String) -> Int {
    (try? FileManager.default.contentsOfDirectory(atPath: folder).count) ?? 0
  }
}

@_silgen_name("malloc_trim") private func trim(_ pad: UInt) -> CInt

extension [SoakFigures] {
  /// Writes one line of JSON for each.
  func write(to path: String) throws {
    let lines = try map { String(decoding: try JSONEncoder().encode($0), as: UTF8.self) + "\n" }
    try Data(lines.joined().utf8).write(to: URL(filePath: path))
  }
}
