import Foundation

/// The tools that check LV2 bundles: `lv2_validate` of Debian's package lv2-dev, with `sord_validate` of sordi, and
/// `lv2info` of lilv-utils.
package enum LV2Tools {
  /// Whether to run tests that need the tools: if they are installed, and always in CI, where they then fail without
  /// them.
  package static let isRequired =
    ["lv2_validate", "sord_validate", "lv2info"].allSatisfy {
      FileManager.default.isExecutableFile(atPath: "/usr/bin/\($0)")
    } || ProcessInfo.processInfo.environment["CI"] == "true"

  /// Checks the Turtle files of a bundle against the schemas of LV2.
  ///
  /// - Parameter bundle: The path of the bundle's folder.
  /// - Returns: The faults, one on each line.
  package static func faults(of bundle: String) throws -> String {
    // The script does not quote the names of files.
    let folder = try TemporaryFolder()
    let names = try FileManager.default.contentsOfDirectory(atPath: bundle).filter {
      $0.hasSuffix(".ttl")
    }
    for name in names {
      try FileManager.default.copyItem(atPath: "\(bundle)/\(name)", toPath: folder(name))
    }
    let (status, text) = try run("lv2_validate", names.sorted().map { folder($0) })
    return status == 0 && !text.contains("error:") ? "" : text + " "
  }

  /// Returns what lilv, which most hosts use, finds about a plugin.
  ///
  /// - Parameter folder: The folder of the bundles.
  package static func description(of plugin: String, in folder: String) throws -> String {
    let (status, text) = try run(
      "lv2info", [plugin], variables: ["LV2_PATH": "\(folder):/usr/lib/lv2"])
    return status == 0 ? text : ""
  }

  private static func run(
    _ program: String, _ arguments: [String], variables: [String: String] = [:]
  ) throws -> (status: Int32, text: String) {
    let process = Process()
    process.executableURL = URL(filePath: "/usr/bin/\(program)")
    process.arguments = arguments
    process.environment = ["PATH": "/usr/bin:/bin", "LC_ALL": "C.UTF-8"].merging(variables) { $1 }
    let output = Pipe()
    process.standardOutput = output
    process.standardError = output
    try process.run()
    let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    process.waitUntilExit()
    return (process.terminationStatus, text)
  }
}
