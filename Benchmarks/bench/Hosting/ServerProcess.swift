import FoundationEssentials
import Glibc
import NodeDirectory

/// `portative serve`, with as many ports as are wanted, in folders of its own.
struct ServerProcess {
  let companion: Companion
  private let folder: String
  private let ports: Int

  /// Starts it, and waits until every port is published.
  init(_ bench: Bench, ports: Int, font: Bench.SoundFont, timing: String = "exact") throws {
    self.ports = ports
    folder = bench.scratch + "/server"
    for name in ["run", "config", "data", "state"] {
      try FileManager.default.createDirectory(
        atPath: "\(folder)/\(name)", withIntermediateDirectories: true)
    }
    for (name, variable) in [
      ("run", "RUNTIME_DIR"), ("config", "CONFIG_HOME"), ("data", "DATA_HOME"),
      ("state", "STATE_HOME"),
    ] {
      setenv("XDG_\(variable)", "\(folder)/\(name)", 1)
    }
    let list = (0..<ports).map { index in
      """
      { "name": "Bench: \(Self.name(index))", "subtype": "\(Self.code(index))", "timing": "\(timing)" }
      """
    }
    let file = folder + "/ports.json"
    try Data("{ \"ports\": [\(list.joined(separator: ", "))] }".utf8).write(
      to: URL(filePath: file))
    companion = try Companion(
      bench.portative,
      ["serve", "--quiet", "--name", "bench", "--config", file, "--soundfont", font.path])
    for _ in 0..<2000 where components.count < ports { usleep(5000) }
    guard components.count == ports else {
      companion.end()
      throw BenchError("portative serve has not published its \(ports) ports within ten seconds")
    }
  }

  static func name(_ index: Int) -> String { "port \(index)" }

  private static func code(_ index: Int) -> String { String(String(index + 10_000).suffix(4)) }

  /// What it publishes, in order of the ports' numbers.
  var components: [Component] {
    ComponentRegistry().components().filter(\.isRunning).sorted {
      $0.port.component.subtype.rawValue < $1.port.component.subtype.rawValue
    }
  }

  func end() {
    companion.end()
    try? FileManager.default.removeItem(atPath: folder)
  }
}
