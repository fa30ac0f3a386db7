import FoundationEssentials

/// The program that has loaded the plugins.
enum HostProcess {
  /// The program's name, such as `ardour-7.3.0`, which other hosts are told while this one has a port.
  static let name: String = {
    let name = try? String(contentsOfFile: "/proc/self/comm", encoding: .utf8)
    return name?.split(separator: "\n").first.map { String($0) } ?? "LV2 host"
  }()
}
