import CLinux
import Glibc

/// The CPU affinity of a thread and of the programs that it starts.
enum Affinity {
  /// The processors on which the calling thread may run.
  static var cores: [Int] {
    var set = cpu_set_t()
    sched_getaffinity(0, MemoryLayout<cpu_set_t>.size, &set)
    return withUnsafeBytes(of: &set) { bytes in
      (0..<bytes.count * 8).filter { bytes[$0 / 8] & 1 << ($0 % 8) != 0 }
    }
  }

  /// Runs `body` with the calling thread restricted to `cores`.
  static func with<Result>(_ cores: some Sequence<Int>, _ body: () throws -> Result) rethrows
    -> Result
  {
    let before = self.cores
    set(cores)
    defer { set(before) }
    return try body()
  }

  private static func set(_ cores: some Sequence<Int>) {
    var set = cpu_set_t()
    withUnsafeMutableBytes(of: &set) { bytes in
      for core in cores { bytes[core / 8] |= 1 << (core % 8) }
    }
    sched_setaffinity(0, MemoryLayout<cpu_set_t>.size, &set)
  }
}
