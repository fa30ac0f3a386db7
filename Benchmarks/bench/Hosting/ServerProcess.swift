import FoundationEssentials
import Glibc
import NodeProtocol

/// A process of `portative serve` with its own XDG folders.
struct ServerProcess {
  let process: BackgroundProcess
  private let folder: String
  private let ports: Int

  /// Starts the server and waits up to ten seconds until all ports are published.
  ///
  /// - Throws: ``BenchError`` if a port is not published in time.
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
    process = try BackgroundProcess(
      bench.portative,
      ["serve", "--quiet", "--name", "bench", "--config", file, "--soundfont", font.path])
    for _ in 0..<2000 where components.count < ports { usleep(5000) }
    guard components.count == ports else {
      process.end()
      throw BenchError("portative serve did not publish its \(ports) ports within ten seconds")
    }
  }

  static func name(_ index: Int) -> String { "port \(index)" }

  private static func code(_ index: Int) -> String { String(String(index + 10_000).suffix(4)) }

  /// The published components in the order of the ports' numbers.
  var components: [Component] {
    ComponentRegistry().components().filter(\.isRunning).sorted {
      $0.port.component.subtype.rawValue < $1.port.component.subtype.rawValue
    }
  }

  func end() {
    process.end()
    try? FileManager.default.removeItem(atPath: folder)
  }
}
