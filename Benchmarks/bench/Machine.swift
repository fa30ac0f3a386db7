import FoundationEssentials
import Glibc

/// The machine on which the results were measured.
struct Machine: Encodable {
  var processor: String
  var cores: Int
  var memoryBytes: Int
  var system: String
  var kernel: String
  var fluidSynth: String
  var swift: String
  var date: String
  /// The load average of the minute before the bench; near 0 on an idle machine.
  var load: Double

  init() {
    processor = value(of: "model name", in: "/proc/cpuinfo", separator: ":") ?? "unknown"
    cores = Affinity.cores.count
    memoryBytes = sysconf(Int32(_SC_PHYS_PAGES)) * sysconf(Int32(_SC_PAGESIZE))
    system = value(of: "PRETTY_NAME", in: "/etc/os-release", separator: "=") ?? "unknown"
    kernel = text(of: "/proc/sys/kernel/osrelease") ?? "unknown"
    fluidSynth = version("fluidsynth", ["--version"])
    swift = version("swift", ["--version"])
    date = Date.now.formatted(.iso8601)
    load = Double(text(of: "/proc/loadavg")?.split(separator: " ").first ?? "") ?? 0
  }

  var sentence: String {
    "\(processor), \(cores) cores, \(system), FluidSynth \(fluidSynth), Swift \(swift), \(date), "
      + "load before \(load.formatted(digits: 2))."
  }
}

/// Returns the first word with a dot and a leading digit in a program's output.
private func version(_ program: String, _ arguments: [String]) -> String {
  let output = (try? Child.run(program, arguments, keepsOutput: true))?.output ?? ""
  let words = output.split { $0 == " " || $0 == "\n" }
  return words.first { $0.contains(".") && $0.first?.isNumber == true }.map(String.init)
    ?? "unknown"
}

private func value(of key: String, in path: String, separator: String) -> String? {
  let line = text(of: path)?.split(separator: "\n").first { $0.hasPrefix(key) }
  let parts = line?.split(separator: Character(separator), maxSplits: 1)
  return parts?.last.map { $0.trimmingCharacters(in: [" ", "\""]) }
}

/// Returns the text of a kernel file, whose reported size is 0.
func text(of path: String) -> String? {
  let descriptor = open(path, O_RDONLY | O_CLOEXEC)
  guard descriptor >= 0 else { return nil }
  defer { close(descriptor) }
  return String(decoding: readAll(descriptor), as: UTF8.self)
    .trimmingCharacters(in: ["\n"])
}

extension StringProtocol {
  fileprivate func trimmingCharacters(in set: Set<Character>) -> String {
    var rest = self[...]
    while let last = rest.last, set.contains(last) { rest = rest.dropLast() }
    return String(rest.drop { set.contains($0) })
  }
}
