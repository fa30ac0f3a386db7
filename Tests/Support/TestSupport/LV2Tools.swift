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
    let result = try run("lv2_validate", names.sorted().map { folder($0) })
    return result.status == 0 && !result.text.contains("error:") ? "" : result.text + " "
  }

  /// Returns what lilv, which most hosts use, finds about a plugin.
  ///
  /// - Parameter folder: The folder of the bundles.
  package static func description(of plugin: String, in folder: String) throws -> String {
    let result = try run(
      "lv2info", [plugin], variables: ["LV2_PATH": "\(folder):/usr/lib/lv2"])
    return result.status == 0 ? result.text : ""
  }

  private static func run(
    _ program: String, _ arguments: [String], variables: [String: String] = [:]
  ) throws -> ToolResult {
    try ToolResult(
      of: "/usr/bin/\(program)", arguments,
      variables: ["PATH": "/usr/bin:/bin", "LC_ALL": "C.UTF-8"].merging(variables) { $1 })
  }
}
